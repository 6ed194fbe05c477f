public import Postgres

/// The list of processes, for people and for the end of an upgrade. It decides no sending: whose batches are taken over,
/// and whether a restored database lacks commits, is decided by leases and by the table `workers`.
public struct ProcessStore: Sendable {
    /// Rows are kept for this long after the process was last seen.
    static let retention = Duration.seconds(30 * 86_400)
    /// Ended and lost processes that are listed: more happened than anybody reads.
    static let maximumListed = 200
    /// The next attempt follows soon.
    private static let deadline = Duration.seconds(10)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The process runs, for `age` now, and holds batches under `owners`. A row that a restore has removed is there again.
    public func enter(
        _ process: ProcessIdentity, owners: [ProcessID], age: Duration
    ) async throws(PostgresError) {
        try await pool.execute(
            """
            WITH old AS (DELETE FROM processes WHERE seen_at < now() - \(Self.retention.interval))
            INSERT INTO processes (id, started_at, seen_at, pid, schema, kind, name, host, version, owners)
            VALUES (\(process.id), now() - \(age.interval), now(), \(process.pid), \(process.schema),
                \(process.kind.rawValue), \(process.name), \(process.host), \(process.version), \(owners.map(\.rawValue)))
            ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, ended_at = NULL, owners = excluded.owners
            """, deadline: Self.deadline)
    }

    public func end(_ process: ProcessIdentity) async throws(PostgresError) {
        try await pool.execute(
            "UPDATE processes SET seen_at = now(), ended_at = now() WHERE id = \(process.id)", deadline: Self.deadline)
    }

    /// Processes that were seen in the last `period`, the last started first.
    public func list(seenWithin period: Duration) async throws -> [ProcessRecord] {
        let rows = try await pool.query(
            """
            SELECT p.id, p.kind, p.name, p.host, p.version, p.pid, p.schema, p.started_at, p.seen_at, p.ended_at,
                (SELECT count(*) FROM batches b WHERE b.state = 'leased' AND b.owner = ANY (p.owners)) AS leased
            FROM processes p WHERE p.seen_at > now() - \(period.interval)
            ORDER BY p.started_at DESC, p.id LIMIT \(Self.maximumListed)
            """, deadline: Self.deadline)
        return try rows.map { try ProcessRecord($0) }
    }

    /// Processes that were seen in the last `period`, did not say that they ended, and have a program of a schema below
    /// this one. Reads columns of the first release only: the database may lack what this program needs.
    public static func running(
        below schema: Int32, seenWithin period: Duration, on connection: PostgresConnection
    ) async throws -> [(process: ProcessIdentity, silence: Duration)] {
        try await connection.query(
            """
            SELECT id, kind, name, host, version, pid, schema, extract(epoch FROM now() - seen_at)::float8 AS silence
            FROM processes WHERE ended_at IS NULL AND seen_at > now() - \(period.interval) AND schema < \(schema)
            ORDER BY name, pid
            """
        ).map { row in
            let silence: Double = try row["silence"]
            return (try ProcessIdentity(row), .seconds(silence))
        }
    }
}
