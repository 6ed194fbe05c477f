import Campaigns
import Postgres
import Store

/// Database access of `belfry-lab chaos`: it reads data to verify a run, and ends sessions of workers that it started.
struct ChaosAudit: Sendable {
    private let pool: PostgresPool

    init(pool: PostgresPool) {
        self.pool = pool
    }

    // MARK: Targets

    struct Target: Sendable {
        let device: Int64
        let token: [UInt8]
    }

    /// A page of an app's devices by id, including retired ones: at most `limit` after `last`.
    func targets(of app: App.ID, after last: Int64, limit: Int) async throws -> [Target] {
        try await pool.query(
            """
            SELECT id, coalesce(token, '') FROM devices
            WHERE app_id = \(app) AND id > \(last) ORDER BY id LIMIT \(limit)
            """
        ).map { Target(device: try $0[0], token: try $0[1]) }
    }

    // MARK: Outcomes

    /// A batch with the outcome byte of each recipient.
    struct Page: Sendable {
        let batch: Batch.ID
        let recipients: [Int64]
        let outcomes: [UInt8]
    }

    /// A page of a run's batches by id: at most `limit` after `last`.
    func batches(of run: Run.ID, after last: Batch.ID, limit: Int) async throws -> [Page] {
        try await pool.query(
            """
            SELECT id, recipients, outcomes FROM batches
            WHERE run_id = \(run) AND id > \(last) ORDER BY id LIMIT \(limit)
            """
        ).map { Page(batch: try $0[0], recipients: try $0[1], outcomes: try $0[2]) }
    }

    /// The counters of a run's batches, added up.
    func sums(of run: Run.ID) async throws -> Ledger {
        let rows = try await pool.query(
            """
            SELECT coalesce(sum(pending), 0)::bigint, coalesce(sum(accepted), 0)::bigint,
                coalesce(sum(rejected), 0)::bigint, coalesce(sum(suppressed), 0)::bigint,
                coalesce(sum(expired), 0)::bigint, coalesce(sum(cancelled), 0)::bigint,
                coalesce(sum(unknown), 0)::bigint, coalesce(sum(deferred), 0)::bigint, coalesce(sum(resent), 0)::bigint
            FROM batches WHERE run_id = \(run)
            """)
        var ledger = Ledger()
        guard let row = rows.first else { return ledger }
        for kind in OutcomeKind.allCases { ledger[kind] = try row[kind.index] }
        ledger.resent = try row[OutcomeKind.allCases.count]
        return ledger
    }

    /// Counts of statistics that differ from a recount.
    func countDifferences() async throws -> [String] { try await StatisticsStore(pool: pool).differencesFromRows() }

    /// The meaning of each code.
    func codes() async throws -> [UInt8: OutcomeReason] { try await RunStore(pool: pool).codes() }

    // MARK: Leases

    struct Held: Hashable, Sendable {
        let batches: Int
        /// Recipients of these batches who may have been sent to and have no outcome yet.
        let ambiguous: Int

        init(batches: Int, ambiguous: Int) {
            self.batches = batches
            self.ambiguous = ambiguous
        }
    }

    /// The batches leased to a process.
    func held(by owner: ProcessID) async throws -> Held {
        let rows = try await pool.query(
            """
            SELECT count(*), coalesce(sum(
                (SELECT count(*) FROM generate_series(0, sent_through - 1) AS index
                WHERE outcome_code(get_byte(outcomes, index)) = \(Int16(OutcomeCode.pending)))), 0)::bigint
            FROM batches WHERE state = 'leased' AND owner = \(owner)
            """)
        guard let row = rows.first else { return Held(batches: 0, ambiguous: 0) }
        return Held(batches: try row[0], ambiguous: try row[1])
    }

    /// The numbers of ready and leased batches of a run.
    func openBatches(of run: Run.ID) async throws -> (ready: Int, leased: Int) {
        let rows = try await pool.query(
            """
            SELECT count(*) FILTER (WHERE state = 'ready'), count(*) FILTER (WHERE state = 'leased')
            FROM batches WHERE run_id = \(run) AND state <> 'done'
            """)
        return try rows.first.map { (try $0[0], try $0[1]) } ?? (0, 0)
    }

    // MARK: Sessions

    /// The number of sessions with an application name, and of those that are running a statement.
    func sessions(of application: String) async throws -> (all: Int, active: Int) {
        let rows = try await pool.query(
            """
            SELECT count(*), count(*) FILTER (WHERE state = 'active') FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = \(application)
            """)
        return try rows.first.map { (try $0[0], try $0[1]) } ?? (0, 0)
    }

    /// Terminates these sessions, as a network failure would; returns their number.
    func endSessions(of application: String) async throws -> Int {
        let rows = try await pool.query(
            """
            SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = \(application)
            """)
        return try rows.first.map { try $0[0] } ?? 0
    }
}
