import Campaigns
import Notifications
import Postgres

/// The lines of files in a group of registrations: what they may do, once it was looked up what is known. All of it
/// happens while the registration lock of the app is held.
///
/// A line is about the device with its installation. If there is none, it is about the device that has its token: the
/// app may have registered the token under a name of its own before the file was imported. A line about a person or a
/// device that was erased after the file was made is left out.
struct ImportedLines {
    private(set) var registrations: [Registration]
    private(set) var effects: [Int: ImportEffect] = [:]
    private let positions: [Int]

    init(_ registrations: [Registration]) {
        self.registrations = registrations
        positions = registrations.indices.filter { registrations[$0].terms != nil }
    }

    private struct Known {
        let address: DeviceAddress
        let userID: String?
        let optOuts: [String]
        /// When it was last changed or confirmed; `.min`: by a file without a time.
        let time: Instant
        /// Whether an app or a server has registered it.
        let isRegisteredByApp: Bool

        init(_ row: PostgresRow) throws {
            address = DeviceAddress(try row[1], kind: try row[2], activity: try row[3])
            userID = try row[4]
            optOuts = try row[5]
            time = try row[6, as: Timestamp.self].instant
            isRegisteredByApp = try row[7]
        }
    }

    /// The devices of the lines by address, and by token, and when what the lines name was erased.
    var lookUps: [PostgresQuery] {
        let lines = positions.map { registrations[$0] }
        let apps = lines.map(\.app.rawValue)
        let known: PostgresQuery = """
            d.installation, d.kind, d.activity, d.user_id, coalesce(d.own_opt_outs, d.opt_outs),
            date_trunc('milliseconds', CASE
                WHEN d.imported_as_of IS NULL THEN greatest(d.updated_at, a.last_seen_at)
                ELSE greatest(d.imported_as_of, d.stated_at, d.retired_at)
            END),
            d.imported_as_of IS NULL
            """
        let activity: PostgresQuery = "LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id"
        return [
            """
            SELECT g.position, \(known)
            FROM unnest(
                \(apps), \(lines.map(\.address.installation)), \(lines.map(\.address.kind.rawValue)),
                \(lines.map(\.address.activity))
            ) WITH ORDINALITY AS g (app_id, installation, kind, activity, position)
            CROSS JOIN LATERAL (
                SELECT * FROM devices WHERE app_id = g.app_id AND installation = g.installation AND kind = g.kind
                    AND activity = g.activity OFFSET 0
            ) d
            \(activity)
            """,
            """
            SELECT g.position, \(known)
            FROM unnest(\(apps), \(lines.map { $0.changes.token?.bytes })) WITH ORDINALITY AS g (app_id, token, position)
            CROSS JOIN LATERAL (SELECT * FROM devices WHERE app_id = g.app_id AND token = g.token OFFSET 0) d
            \(activity)
            """,
            Erasure.times(of: lines),
        ]
    }

    private func people(_ users: [(position: Int, user: String)]) -> PostgresQuery {
        """
        SELECT g.position, p.opt_outs, date_trunc('milliseconds', coalesce(p.imported_as_of, p.updated_at))
        FROM unnest(
            \(users.map { registrations[$0.position].app.rawValue }), \(users.map(\.user)),
            \(users.map { Int64($0.position) })
        ) AS g (app_id, user_id, position)
        JOIN people p ON p.app_id = g.app_id AND p.user_id = g.user_id
        """
    }

    /// Limits what the lines change, in their order.
    mutating func limit(on connection: PostgresConnection) async throws {
        let answers = try await connection.queries(lookUps, deadline: RegistrationStore.statementDeadline)
        let (byAddress, byToken) = (try known(answers[0]), try known(answers[1]))
        let erased = try times(answers[2])
        var newest = NewestLines()
        var users: [(position: Int, user: String)] = []
        for position in positions {
            guard let terms = registrations[position].terms else { continue }
            let line = registrations[position]
            var effect = ImportEffect()
            // A token of another kind is a mistake of the file, which the registration refuses.
            let owner = byToken[position].flatMap { $0.address.kind == line.address.kind ? $0 : nil }
            let device = byAddress[position] ?? owner
            var address = device?.address ?? line.address
            var changes = line.changes
            let user = changes.userID.value ?? device?.userID
            let key = RegistrationGroup.Key(app: line.app.rawValue, address: address)
            let isNew = device == nil && newest.devices[key] == nil
            let ofToken = newest.owner(of: line)
            effect.isLeft = terms.leaves([device?.time, newest.devices[key], erased[position]].compactMap { $0 }.max())
            // The token of a line belongs to another device, which is newer.
            if let owner, owner.address != address, terms.leaves(owner.time) { effect.isLeft = true }
            if let ofToken, ofToken.address != address, terms.leaves(ofToken.time) { effect.isLeft = true }
            effect.isErased = effect.isLeft && erased[position] != nil && isNew
            changes.profile = terms.limit(
                changes.profile, isNewer: effect.isLeft, optOuts: device?.optOuts ?? [], &effect)
            if effect.isErased {
                changes = DeviceChanges()
            } else if effect.isLeft {
                changes = DeviceChanges(profile: changes.profile)
                if isNew, let newer = owner?.address ?? ofToken?.address { address = newer }
            } else {
                newest.note(line, at: address)
                if device?.isRegisteredByApp == true, !terms.overwritesNewer { changes.removeReach() }
            }
            let isUpdate = effect.isLeft || changes.token == nil
            registrations[position].kind = isUpdate ? .update : line.kind
            registrations[position].address = address
            registrations[position].changes = changes
            if line.person?.isEmpty == false, let user {
                registrations[position].personUser = user
                users.append((position, user))
            }
            effects[position] = effect
        }
        if !users.isEmpty { try await limitPeople(users, erased, on: connection) }
    }

    private func known(_ rows: PostgresRows) throws -> [Int: Known] {
        var known: [Int: Known] = [:]
        for row in rows { known[positions[Int(try row[0, as: Int64.self]) - 1]] = try Known(row) }
        return known
    }

    private func times(_ rows: PostgresRows) throws -> [Int: Instant] {
        var times: [Int: Instant] = [:]
        for row in rows {
            times[positions[Int(try row[0, as: Int64.self]) - 1]] = try row[1, as: Timestamp.self].instant
        }
        return times
    }

    /// `erased` says when what the lines name was erased. Nothing is stored about a person who is unknown since then.
    private mutating func limitPeople(
        _ users: [(position: Int, user: String)], _ erased: [Int: Instant], on connection: PostgresConnection
    ) async throws {
        var known: [Int: (optOuts: [String], time: Instant)] = [:]
        for row in try await connection.query(people(users)) {
            known[Int(try row[0, as: Int64.self])] = (try row[1], try row[2, as: Timestamp.self].instant)
        }
        var newest: [PeopleColumns.Key: Instant] = [:]
        for (position, user) in users {
            guard let terms = registrations[position].terms, let changes = registrations[position].person else {
                continue
            }
            var effect = effects[position] ?? ImportEffect()
            if known[position] == nil, terms.leaves(erased[position]) {
                registrations[position].person = nil
                continue
            }
            let key = PeopleColumns.Key(app: registrations[position].app.rawValue, userID: user)
            let isNewer = terms.leaves([known[position]?.time, newest[key]].compactMap { $0 }.max())
            if !isNewer, let asOf = terms.asOf { newest[key] = asOf }
            registrations[position].person = terms.limit(
                changes, isNewer: isNewer, optOuts: known[position]?.optOuts ?? [], &effect)
            effects[position] = effect
        }
    }
}

/// The times of the newest lines of a group about each device and each token: a file may name them several times.
private struct NewestLines {
    private(set) var devices: [RegistrationGroup.Key: Instant] = [:]
    private var tokens: [RegistrationGroup.TokenKey: (address: DeviceAddress, time: Instant)] = [:]

    func owner(of line: Registration) -> (address: DeviceAddress, time: Instant)? {
        line.changes.token.flatMap { tokens[RegistrationGroup.TokenKey(app: line.app.rawValue, token: $0)] }
    }

    mutating func note(_ line: Registration, at address: DeviceAddress) {
        guard let time = line.terms?.asOf else { return }
        let key = RegistrationGroup.Key(app: line.app.rawValue, address: address)
        devices[key] = max(devices[key] ?? time, time)
        if let token = line.changes.token {
            tokens[RegistrationGroup.TokenKey(app: line.app.rawValue, token: token)] = (address, time)
        }
    }
}

extension DeviceChanges {
    fileprivate init(profile: ProfileChanges) {
        self.init()
        self.profile = profile
    }

    /// An app that has registered a device says who uses it and where it is reached. A file knows that from before.
    fileprivate mutating func removeReach() {
        userID = .absent
        token = nil
        environment = nil
    }
}
