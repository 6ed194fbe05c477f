public import Campaigns
public import Postgres

/// The recipients of a run who were due in the same millisecond, and their outcomes.
public struct DueTime: Hashable, Sendable {
    public let dueAt: Timestamp
    /// Deferred recipients are counted at the later time only.
    public let ledger: Ledger
}

extension RunStore {
    /// The due times of a run, in order, each with its ledger; the terms of all of them add up to those of the run.
    /// `after` is the last one of the page before.
    public func dueTimes(_ run: Run.Key, after: Timestamp?, limit: Int) async throws -> [DueTime] {
        let rows = try await pool.query(
            """
            SELECT date_trunc('milliseconds', due_at) AS due_at, sum(pending)::bigint AS pending, sum(accepted)::bigint AS accepted,
                sum(rejected)::bigint AS rejected, sum(suppressed)::bigint AS suppressed,
                sum(expired)::bigint AS expired, sum(cancelled)::bigint AS cancelled,
                sum(unknown)::bigint AS unknown, sum(deferred)::bigint AS deferred, sum(resent)::bigint AS resent
            FROM batches
            WHERE app_id = \(run.app) AND run_id = \(run.id)
                AND (\(after)::timestamptz IS NULL OR date_trunc('milliseconds', due_at) > \(after))
            GROUP BY 1 ORDER BY 1 LIMIT \(limit)
            """)
        return try rows.map { row in
            var ledger = Ledger()
            for kind in OutcomeKind.allCases { ledger[kind] = try row[kind.rawValue] }
            ledger.resent = try row["resent"]
            return DueTime(dueAt: try row["due_at"], ledger: ledger)
        }
    }
}
