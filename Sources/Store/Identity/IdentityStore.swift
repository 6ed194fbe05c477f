import Campaigns
public import Postgres

/// Compares the database with what processes remember of it, and confirms its identity or begins another generation.
///
/// Statements that change something hold only for the server that was observed: while it runs, nobody can replace its
/// files.
public struct IdentityStore: Sendable {
    /// A process without a beat for this long has ended. It beats much more often.
    static let longestSilence = Duration.seconds(60)
    /// Rows of processes are kept for this long after their last beat.
    static let retention = Duration.seconds(30 * 86_400)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Returns the state that `process` sees. Processes are silent if they were at work at `moment`, their last beat
    /// that is remembered. Nil while the database has no identity: a dump is being restored.
    public func observe(
        as process: ProcessID, remembering memories: [ProcessMemory], flushes: [ConfirmedFlush] = [],
        asOf moment: Timestamp? = nil
    ) async throws(PostgresError) -> DatabaseObservation? {
        let processes = memories.map(\.process.rawValue)
        let rows = try await pool.query(
            """
            SELECT d.origin, d.generation, d.changed_at, pg_postmaster_start_time(),
                \(DatabaseIdentity.hasSameTables), \(DatabaseIdentity.isConfirmed),
                coalesce(d.timeline = present_timeline(), false),
                ARRAY(SELECT coalesce(p.beat, 0)
                    FROM unnest(\(processes)) WITH ORDINALITY AS m (id, n) LEFT JOIN workers p ON p.id = m.id
                    ORDER BY m.n),
                \(Self.hasFlushes(flushes)),
                (SELECT coalesce(bool_and(p.is_synchronous), false) FROM workers p WHERE p.id = ANY (\(processes))),
                (SELECT count(*) FROM workers p
                    WHERE p.ended_at IS NULL AND p.server_started_at <> pg_postmaster_start_time()
                        AND p.beaten_at + \(Self.longestSilence.interval) > \(moment)
                        AND p.id <> \(process)),
                EXISTS (SELECT FROM runs r WHERE r.finished_at IS NULL AND r.state <> 'cancelled')
                    OR EXISTS (SELECT FROM campaigns c WHERE c.state = 'scheduled' AND c.next_check_at <= now())
                    OR EXISTS (SELECT FROM campaigns c WHERE c.state = 'sending' AND c.runs_started = 0),
                (SELECT \(ClockStore.setBack) IS NOT NULL FROM workers)
            FROM database_identity d
            """, deadline: StatementDeadline.lease)
        return try rows.first.map { row throws(PostgresError) in try DatabaseObservation(row) }
    }

    /// A batch that is missing together with its app was deleted with it.
    private static func hasFlushes(_ flushes: [ConfirmedFlush]) -> PostgresQuery {
        guard !flushes.isEmpty else { return "true" }
        return """
            NOT EXISTS (
                SELECT FROM unnest(\(flushes.map(\.app.rawValue)), \(flushes.map(\.batch.rawValue)),
                    \(flushes.map(\.attempt)), \(flushes.map(\.sequence))) AS m (app, batch, attempt, sequence)
                LEFT JOIN batches b ON b.app_id = m.app AND b.id = m.batch
                WHERE (b.attempt, b.flush_seq) < (m.attempt, m.sequence)
                    OR b.id IS NULL AND EXISTS (SELECT FROM apps a WHERE a.id = m.app))
            """
    }

    /// The process writes its first beat, or the first in another generation. Nil when the server is another one now.
    public func enter(
        _ process: ProcessID, beat: Int64, on server: Timestamp
    ) async throws(PostgresError) -> Timestamp? {
        let rows = try await pool.query(
            """
            WITH old AS (DELETE FROM workers WHERE beaten_at < now() - \(Self.retention.interval))
            INSERT INTO workers (id, beat, beaten_at, server_started_at, is_synchronous)
            SELECT \(process), \(beat), now(), pg_postmaster_start_time(), \(Self.isSynchronous)
            WHERE pg_postmaster_start_time() = \(server)
            ON CONFLICT (id) DO UPDATE SET beat = excluded.beat, beaten_at = excluded.beaten_at,
                server_started_at = excluded.server_started_at, is_synchronous = excluded.is_synchronous,
                ended_at = NULL
            RETURNING beaten_at
            """, deadline: StatementDeadline.lease)
        return try rows.first.map { row throws(PostgresError) in try row[0] }
    }

    /// Writes the next beat after the one that is remembered; the last one if the process ends. Returns its time; nil
    /// when the row or the server has changed.
    public func beat(
        after memory: ProcessMemory, on server: Timestamp, isLast: Bool = false
    ) async throws(PostgresError) -> Timestamp? {
        let rows = try await pool.query(
            """
            UPDATE workers
            SET beat = beat + 1, beaten_at = now(), server_started_at = pg_postmaster_start_time(),
                is_synchronous = \(Self.isSynchronous), ended_at = CASE WHEN \(isLast) THEN now() END
            WHERE id = \(memory.process) AND beat = \(memory.beat) AND pg_postmaster_start_time() = \(server)
            RETURNING beaten_at
            """, deadline: StatementDeadline.lease)
        return try rows.first.map { row throws(PostgresError) in try row[0] }
    }

    private static let isSynchronous: PostgresQuery = "current_setting('synchronous_standby_names') <> ''"

    /// Confirms that the observed database holds all that was confirmed: sending goes on. False when it is another one
    /// now.
    public func confirm(_ seen: DatabaseObservation) async throws(PostgresError) -> Bool {
        try await pool.execute(
            """
            UPDATE database_identity d SET \(DatabaseIdentity.confirmation)
            WHERE \(Self.isStill(seen)) AND \(DatabaseIdentity.hasSameTables)
            """, deadline: StatementDeadline.lease) > 0
    }

    /// Begins another generation, because the observed database may lack what was confirmed: a person decides about
    /// each run that is open. Of several processes one does; false for the others.
    public func beginGeneration(after seen: DatabaseObservation) async throws(PostgresError) -> Bool {
        try await pool.execute(
            """
            UPDATE database_identity d
            SET generation = random_generation(), changed_at = now(), \(DatabaseIdentity.confirmation)
            WHERE \(Self.isStill(seen))
            """, deadline: StatementDeadline.lease) > 0
    }

    private static func isStill(_ seen: DatabaseObservation) -> PostgresQuery {
        "d.generation = \(seen.generation) AND pg_postmaster_start_time() = \(seen.server)"
    }
}
