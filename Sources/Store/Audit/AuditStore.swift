public import Administration
public import Campaigns
public import Postgres

/// Stores the audit log: a chain of hashes, so that a record that was changed, removed or put in later is noticed.
public struct AuditStore: Sendable {
    /// Which records a list shows; nil shows all.
    public struct Filter: Sendable {
        public var app: App.ID?
        public var action: String?
        public var actor: String?
        public var resource: String?
        public var since: Timestamp?
        public var until: Timestamp?

        public init() {}
    }

    /// The hash that stands for the missing record before the first one.
    static let origin = [UInt8](repeating: 0, count: 32)
    /// Records that one query of a verification reads.
    static let step = 1_000

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Adds a record at the end of the chain. In a joined transaction, it is stored if and only if the change is;
    /// others wait until that transaction ends, so it should be the last statement.
    public func add(_ entry: AuditEntry) async throws {
        try await pool.joiningTransaction {
            // A statement of its own: the next one must see what was committed while this one waited.
            _ = try await pool.query(RowLock.audit.wait)
            let rows = try await pool.query(
                """
                SELECT clock_timestamp() AS at, (SELECT max(id) FROM audit_log) AS id,
                    (SELECT hash FROM audit_log ORDER BY id DESC LIMIT 1) AS hash
                """)
            guard let row = rows.first else { return }
            let id = Audit.ID(rawValue: (try row["id", as: Int64?.self] ?? 0) + 1)
            let at: Timestamp = try row["at"]
            let previous = try row["hash", as: [UInt8]?.self] ?? Self.origin
            try await pool.execute(
                """
                INSERT INTO audit_log (\(AuditRecord.columns)) VALUES (
                    \(id), \(at), \(entry.app), \(entry.actor.kind.rawValue), \(entry.actor.id), \(entry.actor.name),
                    \(entry.action), \(entry.resource), \(entry.address), \(entry.requestID), \(entry.before),
                    \(entry.after), \(previous), \(AuditRecord.hash(id: id, at: at, entry, after: previous)))
                """)
        }
    }

    /// Newest first; `before` is the last id of the page before.
    public func list(_ filter: Filter, before: Audit.ID?, limit: Int) async throws -> [AuditRecord] {
        let rows = try await pool.query(
            """
            SELECT \(AuditRecord.columns) FROM audit_log
            WHERE id < \(keysetBound(before)) AND (\(filter.app)::bigint IS NULL OR app_id = \(filter.app))
                AND (\(filter.action)::text IS NULL OR action = \(filter.action))
                AND (\(filter.actor)::text IS NULL OR strpos(lower(actor_name), lower(\(filter.actor))) > 0)
                AND (\(filter.resource)::text IS NULL OR starts_with(resource, \(filter.resource)))
                AND (\(filter.since)::timestamptz IS NULL OR at >= \(filter.since))
                AND (\(filter.until)::timestamptz IS NULL OR at < \(filter.until))
            ORDER BY id DESC LIMIT \(limit)
            """)
        return try rows.map { try AuditRecord($0) }
    }

    /// The newest record about exactly this resource; nil if there is none.
    public func lastChange(of resource: String) async throws -> AuditRecord? {
        let rows = try await pool.query(
            """
            SELECT \(AuditRecord.columns) FROM audit_log WHERE resource = \(resource) ORDER BY id DESC LIMIT 1
            """)
        return try rows.first.map { try AuditRecord($0) }
    }

    /// The hash of a record; nil if there is none.
    public func hash(of id: Audit.ID) async throws -> [UInt8]? {
        try await pool.query("SELECT hash FROM audit_log WHERE id = \(id)").first?[0]
    }

    /// Checks the whole chain. The first record may come after some that were pruned.
    public func verify() async throws -> AuditVerification {
        var verification = AuditVerification()
        var last: Int64 = 0
        while true {
            let rows = try await pool.query(
                "SELECT \(AuditRecord.columns) FROM audit_log WHERE id > \(last) ORDER BY id LIMIT \(Self.step)")
            for row in rows {
                let record = try AuditRecord(row)
                guard verification.accept(record) else { return verification }
                last = record.id.rawValue
            }
            guard rows.count == Self.step else { return verification }
        }
    }

    /// Deletes records that are older, and adds one that says so. Returns their number.
    public func prune(before time: Timestamp, by actor: AuditEntry.Actor) async throws -> Int {
        try await pool.joiningTransaction {
            _ = try await pool.query(RowLock.audit.wait)
            try await pool.execute("SELECT set_config('belfry.prunes_audit_log', 'on', true)")
            // The newest record stays: the next one is chained to it.
            let count = try await pool.execute(
                """
                DELETE FROM audit_log WHERE id < (
                    SELECT coalesce(min(id), (SELECT max(id) FROM audit_log)) FROM audit_log WHERE at >= \(time))
                """)
            try await pool.execute("SELECT set_config('belfry.prunes_audit_log', 'off', true)")
            try await add(
                AuditEntry(
                    actor: actor, action: "audit.prune", resource: "/v1/audit",
                    after: #"{"before":"\#(time.microseconds)","records":\#(count)}"#))
            return count
        }
    }
}

/// The state of the chain so far.
public struct AuditVerification: Hashable, Sendable {
    public private(set) var records = 0
    public private(set) var first: Audit.ID?
    public private(set) var last: AuditRecord?
    /// The first record that doesn't fit, and why.
    public private(set) var fault: Fault?

    public struct Fault: Hashable, Sendable {
        public let record: Audit.ID
        /// As the end of a sentence that begins with the record.
        public let reason: String
    }

    /// False when the record is not what was written, or not the next one.
    mutating func accept(_ record: AuditRecord) -> Bool {
        if let last {
            guard record.id.rawValue == last.id.rawValue + 1 else {
                return refuse(record, "does not follow record \(last.id): records between them are missing")
            }
            guard record.previousHash == last.hash else {
                return refuse(record, "is not chained to record \(last.id)")
            }
        } else {
            first = record.id
            if record.id.rawValue == 1, record.previousHash != AuditStore.origin {
                return refuse(record, "is not the beginning of a chain")
            }
        }
        guard record.hash == record.expectedHash else { return refuse(record, "was changed after it was written") }
        last = record
        records += 1
        return true
    }

    private mutating func refuse(_ record: AuditRecord, _ reason: String) -> Bool {
        fault = Fault(record: record.id, reason: reason)
        return false
    }
}
