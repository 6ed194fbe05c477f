public import Campaigns
public import Postgres

/// What `belfry chaos` reads to judge a run, and how it disturbs the sessions of workers that it started itself.
public struct ChaosAudit: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    // MARK: Who was meant

    public struct Target: Sendable {
        public let device: Int64
        public let token: [UInt8]
    }

    /// An app's devices by their ids, retired ones too: a page of at most `limit` above `last`.
    public func targets(of app: App.ID, after last: Int64, limit: Int) async throws -> [Target] {
        try await pool.query(
            """
            SELECT id, coalesce(token, '') FROM devices
            WHERE app_id = \(app) AND id > \(last) ORDER BY id LIMIT \(limit)
            """
        ).map { Target(device: try $0[0], token: try $0[1]) }
    }

    // MARK: What became of them

    /// A batch as it stands: the byte of each recipient.
    public struct Page: Sendable {
        public let batch: Batch.ID
        public let recipients: [Int64]
        public let outcomes: [UInt8]
    }

    /// A run's batches by their ids, at most `limit` above `last`.
    public func batches(of run: Run.ID, after last: Batch.ID, limit: Int) async throws -> [Page] {
        try await pool.query(
            """
            SELECT id, recipients, outcomes FROM batches
            WHERE run_id = \(run) AND id > \(last) ORDER BY id LIMIT \(limit)
            """
        ).map { Page(batch: try $0[0], recipients: try $0[1], outcomes: try $0[2]) }
    }

    /// The counters of a run's batches, added up.
    public func sums(of run: Run.ID) async throws -> Ledger {
        let rows = try await pool.query(
            """
            SELECT coalesce(sum(pending), 0)::bigint, coalesce(sum(accepted), 0)::bigint,
                coalesce(sum(rejected), 0)::bigint, coalesce(sum(suppressed), 0)::bigint,
                coalesce(sum(expired), 0)::bigint, coalesce(sum(cancelled), 0)::bigint,
                coalesce(sum(unknown), 0)::bigint, coalesce(sum(moved), 0)::bigint, coalesce(sum(resent), 0)::bigint
            FROM batches WHERE run_id = \(run)
            """)
        var ledger = Ledger()
        guard let row = rows.first else { return ledger }
        for kind in OutcomeKind.allCases { ledger[kind] = try row[kind.place] }
        ledger.resent = try row[OutcomeKind.allCases.count]
        return ledger
    }

    /// What each code means.
    public func codes() async throws -> [UInt8: OutcomeReason] { try await RunStore(pool: pool).codes() }

    // MARK: Who holds what

    public struct Held: Hashable, Sendable {
        public let batches: Int
        /// Recipients of these who may be on the wire and have no outcome yet.
        public let inDoubt: Int

        public init(batches: Int, inDoubt: Int) {
            self.batches = batches
            self.inDoubt = inDoubt
        }
    }

    /// What is leased to a process.
    public func held(by owner: ProcessID) async throws -> Held {
        let rows = try await pool.query(
            """
            SELECT count(*), coalesce(sum(
                (SELECT count(*) FROM generate_series(0, sent_through - 1) AS place
                WHERE get_byte(outcomes, place) % 128 = \(Int16(OutcomeCode.pending)))), 0)::bigint
            FROM batches WHERE state = 1 AND owner = \(owner)
            """)
        guard let row = rows.first else { return Held(batches: 0, inDoubt: 0) }
        return Held(batches: try row[0], inDoubt: try row[1])
    }

    /// How many batches of a run are ready and how many leased: what is left to do.
    public func openBatches(of run: Run.ID) async throws -> (ready: Int, leased: Int) {
        let rows = try await pool.query(
            """
            SELECT count(*) FILTER (WHERE state = 0), count(*) FILTER (WHERE state = 1)
            FROM batches WHERE run_id = \(run) AND state < 2
            """)
        return try rows.first.map { (try $0[0], try $0[1]) } ?? (0, 0)
    }

    // MARK: Sessions

    /// Sessions of this database under an application's name, and how many of them run a statement now.
    public func sessions(of application: String) async throws -> (all: Int, active: Int) {
        let rows = try await pool.query(
            """
            SELECT count(*), count(*) FILTER (WHERE state = 'active') FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = \(application)
            """)
        return try rows.first.map { (try $0[0], try $0[1]) } ?? (0, 0)
    }

    /// Ends them, as a failing network would; returns how many.
    public func endSessions(of application: String) async throws -> Int {
        let rows = try await pool.query(
            """
            SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = \(application)
            """)
        return try rows.first.map { try $0[0] } ?? 0
    }
}
