public import Campaigns
public import Postgres

/// A person as it is stored, with their devices.
public struct PersonRecord: Sendable {
    public struct Device: Sendable {
        public let id: Campaigns.Device.ID
        public let address: DeviceAddress
        public let isRegistered: Bool
    }

    /// Devices in a record.
    public static let maximumDevices = 100

    public let userID: String
    public let profile: Profile
    /// Nil if nothing but devices is stored about the person.
    public let createdAt: Timestamp?
    public let updatedAt: Timestamp?
    /// The first `maximumDevices`, in the order of their ids.
    public let devices: [Device]

    /// When the person was last changed, in microseconds; 0 before.
    public var version: Int { updatedAt.map { Int($0.microseconds) } ?? 0 }
}

/// The data of a person, over all of their devices.
public struct PersonStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// A person with data or devices.
    public func find(_ userID: String, app: App.ID) async throws -> PersonRecord {
        try await pool.transaction { connection in try await Self.find(userID, app: app, on: connection) }
    }

    private static func find(
        _ userID: String, app: App.ID, on connection: PostgresConnection
    ) async throws -> PersonRecord {
        let people = try await connection.query(
            """
            SELECT attributes, tags, opt_outs, created_at, updated_at FROM people
            WHERE app_id = \(app) AND user_id = \(userID)
            """)
        let devices = try await connection.query(
            """
            SELECT id, installation, kind, activity, retired_at IS NULL AS is_registered FROM devices
            WHERE app_id = \(app) AND user_id = \(userID) ORDER BY id LIMIT \(PersonRecord.maximumDevices)
            """
        ).map { row in
            PersonRecord.Device(
                id: try row["id"],
                address: DeviceAddress(try row["installation"], kind: try row["kind"], activity: try row["activity"]),
                isRegistered: try row["is_registered"])
        }
        guard !people.isEmpty || !devices.isEmpty else { throw Refusal.notFound(.person) }
        guard let row = people.first else {
            return PersonRecord(userID: userID, profile: .none, createdAt: nil, updatedAt: nil, devices: devices)
        }
        return PersonRecord(
            userID: userID,
            profile: Profile(attributes: try row["attributes"], tags: try row["tags"], optOuts: try row["opt_outs"]),
            createdAt: try row["created_at"], updatedAt: try row["updated_at"], devices: devices)
    }

    /// Changes the person and all of their devices, in one transaction. The person need not have a device yet.
    public func update(
        _ userID: String, app: App.ID, by changes: ProfileChanges, expectedVersion: Int? = nil
    ) async throws -> PersonRecord {
        try await mappingConstraintErrors {
            try await pool.transaction(opening: [Self.lock(app)]) { connection, _ in
                if let expectedVersion {
                    let current = try await Self.find(userID, app: app, on: connection)
                    try Refusal.checkVersion(current.version, expectedVersion)
                }
                let key = PeopleColumns.Key(app: app.rawValue, userID: userID)
                let growth = changes.attributes.given?.lengths.map { length in
                    KnownAttributes.Growth(
                        app: app.rawValue, name: length.name, longest: Int32(clamping: length.bytes))
                }
                var writes = PeopleColumns([(key, changes, nil)]).writes
                if let growth, !growth.isEmpty { writes.append(KnownAttributes.raise(growth)) }
                _ = try await connection.queries(writes, deadline: RegistrationStore.statementDeadline)
                return try await Self.find(userID, app: app, on: connection)
            }
        }
    }

    /// Registrations of the app wait meanwhile.
    static func lock(_ app: App.ID) -> PostgresQuery {
        RowLock.OfApp.registrations.wait(for: [app.rawValue])
    }

    /// Erases the person: what is known about them, the devices with the user id, other devices of the same installations
    /// unless they belong to another user, the replies from all of these, and those that the person typed on devices that
    /// belong to others now; their custom events; and what messages to webhooks say of all this. Returns the number of
    /// devices.
    ///
    /// Ledgers and events keep the device ids, so that their totals remain correct; no id can be traced to the person
    /// any more. Imports of older files leave the person out.
    ///
    /// Replies are erased before and after the person, without a lock: there may be many of them. An error in between
    /// leaves nothing that a repetition would not find.
    public func erase(_ userID: String, app: App.ID, expectedVersion: Int? = nil) async throws -> Int {
        if let expectedVersion {
            try Refusal.checkVersion(try await find(userID, app: app).version, expectedVersion)
        }
        let devices = try await pool.query(Self.devices(of: userID, app)).map { try $0[0, as: Int64.self] }
        let people = try await CustomEventErasure.people(userID, withDevices: devices, app: app, in: pool)
        try await eraseReplies(from: devices, app: app)
        try await eraseRepliesOnFormerDevices(of: userID, app: app)
        let erased = try await eraseRecords(of: userID, app: app, expectedVersion: expectedVersion)
        // Those that arrived meanwhile.
        try await eraseReplies(from: erased, app: app)
        try await CustomEventErasure.erase(people, app: app, in: pool)
        return erased.count
    }

    /// Registrations of the app wait for this as for each other, so that none of them restores a partly erased device: about
    /// a millisecond, whatever the app has sent.
    private func eraseRecords(of userID: String, app: App.ID, expectedVersion: Int?) async throws -> [Int64] {
        try await pool.transaction(opening: [Self.lock(app)]) { connection, _ in
            if let expectedVersion {
                let current = try await Self.find(userID, app: app, on: connection)
                try Refusal.checkVersion(current.version, expectedVersion)
            }
            let answers = try await connection.queries(
                [
                    "UPDATE device_past SET user_id = NULL WHERE app_id = \(app) AND user_id = \(userID)",
                    "DELETE FROM people WHERE app_id = \(app) AND user_id = \(userID)",
                    Erasure.erase(userID, withDevices: Self.devices(of: userID, app), app: app),
                ], deadline: RegistrationStore.statementDeadline)
            return try answers[2].map { try $0[0, as: Int64.self] }
        }
    }

    /// The devices that are erased with the person.
    private static func devices(of userID: String, _ app: App.ID) -> PostgresQuery {
        """
        WITH user_installations AS MATERIALIZED (
            SELECT DISTINCT installation FROM devices WHERE app_id = \(app) AND user_id = \(userID)
        )
        SELECT d.id
        FROM user_installations o
        JOIN devices d ON d.installation = o.installation AND d.app_id = \(app)
        WHERE d.user_id IS NULL OR d.user_id = \(userID)
        """
    }

    private func eraseRepliesOnFormerDevices(of userID: String, app: App.ID) async throws {
        let devices = try await pool.query(
            "SELECT DISTINCT device_id FROM device_past WHERE app_id = \(app) AND user_id = \(userID)"
        ).map { try $0[0, as: Int64.self] }
        try await eraseReplies(
            from: devices, app: app, where: "user_at(app_id, device_id, happened_at) = \(userID)"
        ) { item in
            """
            (\(item) ->> 'user_id' = \(userID)
                OR user_at(\(app), (\(item) ->> 'device_id')::bigint, (\(item) ->> 'at')::timestamptz) = \(userID))
            """
        }
    }

    /// The numbers of the messages tell PostgreSQL in which partitions the replies are: with a year of partitions, a look at
    /// each of them costs more than all else.
    private func eraseReplies(
        from devices: [Int64], app: App.ID, where condition: PostgresQuery = "true",
        whereItem itemCondition: (PostgresQuery) -> PostgresQuery = { _ in "true" }
    ) async throws {
        guard !devices.isEmpty else { return }
        try await WebhookErasure.erase(itemsOf: devices, app: app, in: pool, where: itemCondition)
        let numbers = try await pool.query(
            """
            SELECT DISTINCT message_number FROM device_replies
            WHERE app_id = \(app) AND device_id = ANY (\(devices))
            """
        ).map { try $0[0, as: Int64.self] }
        guard !numbers.isEmpty else { return }
        try await pool.execute(
            """
            UPDATE events SET text = NULL
            WHERE app_id = \(app) AND message_number = ANY (\(numbers)) AND device_id = ANY (\(devices))
                AND text IS NOT NULL AND \(condition)
            """)
    }
}
