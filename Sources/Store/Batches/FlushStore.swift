public import Campaigns
public import Postgres

/// Writes a batch's progress, fenced by owner, attempt and the number of the flush before.
public struct FlushStore: Sendable {
    /// What becomes of the batch with this flush.
    public enum Standing: Sendable {
        /// Held on; the lease begins anew.
        case held(lease: Duration)
        /// Given back: somebody else may go on at once.
        case released
        case done
    }

    public struct Flush: Sendable {
        public var batch: Batch.ID
        public var attempt: Int32
        /// One more than the flush before.
        public var sequence: Int32
        /// Recipients below this index may be on the wire once the flush is committed.
        public var sentThrough: Int
        public var outcomes: [UInt8]
        public var ledger: Ledger
        public var standing: Standing
        /// Whom this flush moves, to be sent by other batches: their bytes say "moved" in `outcomes`.
        public var moves: [BatchMove]

        public init(
            batch: Batch.ID, attempt: Int32, sequence: Int32, sentThrough: Int, outcomes: [UInt8], ledger: Ledger,
            standing: Standing, moves: [BatchMove] = []
        ) {
            self.batch = batch
            self.attempt = attempt
            self.sequence = sequence
            self.sentThrough = sentThrough
            self.outcomes = outcomes
            self.ledger = ledger
            self.standing = standing
            self.moves = moves
        }
    }

    /// What a stored flush tells of the run, on the database's clock.
    public struct Stored: Sendable {
        public let runState: RunRecord.State
        /// Until the run's pushes are not worth sending any more; negative: they are not.
        public let expiresIn: Duration
        /// Until the batch's recipients are to be judged anew before anybody more is sent to; nil: never.
        public let judgedAnewIn: Duration?
    }

    /// How a batch's row stands, for whoever lost the answer to a flush.
    public struct Row: Hashable, Sendable {
        public let isOurs: Bool
        public let attempt: Int32
        public let flushSequence: Int32

        public init(isOurs: Bool, attempt: Int32, flushSequence: Int32) {
            self.isOurs = isOurs
            self.attempt = attempt
            self.flushSequence = flushSequence
        }
    }

    private let pool: PostgresPool
    private let owner: ProcessID

    public init(pool: PostgresPool, owner: ProcessID) {
        self.pool = pool
        self.owner = owner
    }

    /// One statement, so one transaction of its own, moves and all. Nil when the row is not ours as we knew it.
    public func store(_ flush: Flush) async throws(PostgresError) -> Stored? {
        var statement: PostgresQuery = """
            WITH stored AS (
                UPDATE batches b
                SET outcomes = \(flush.outcomes), sent_through = \(Int32(flush.sentThrough)), flush_seq = \(flush.sequence),
                    pending = \(count(flush, .pending)), accepted = \(count(flush, .accepted)),
                    rejected = \(count(flush, .rejected)), suppressed = \(count(flush, .suppressed)),
                    expired = \(count(flush, .expired)), cancelled = \(count(flush, .cancelled)),
                    unknown = \(count(flush, .unknown)), moved = \(count(flush, .moved)),
                    resent = \(Int32(flush.ledger.resent)), \(standing(flush.standing))
                FROM runs r
                WHERE b.id = \(flush.batch) AND b.state = 1 AND b.owner = \(owner) AND b.attempt = \(flush.attempt)
                    AND b.flush_seq = \(flush.sequence - 1) AND r.id = b.run_id
                RETURNING b.id, b.run_id, b.app_id, b.environment, b.retries, b.is_trial, b.not_after, r.state AS run_state,
                    r.expires_at
            )
            """
        for (number, move) in flush.moves.enumerated() {
            statement += ", moved_\(unescaped: String(number)) AS (\(move.statement))"
        }
        statement += """
             SELECT run_state, extract(epoch FROM expires_at - now())::float8,
                extract(epoch FROM not_after - now())::float8
            FROM stored
            """
        let rows = try await pool.query(statement)
        guard let row = rows.first else { return nil }
        return Stored(
            runState: try row[0], expiresIn: .seconds(try row[1, as: Double.self]),
            judgedAnewIn: try row[2, as: Double?.self].map { .seconds($0) })
    }

    public func row(of batch: Batch.ID) async throws(PostgresError) -> Row? {
        let rows = try await pool.query(
            "SELECT owner IS NOT DISTINCT FROM \(owner), attempt, flush_seq FROM batches WHERE id = \(batch)")
        guard let row = rows.first else { return nil }
        return Row(isOurs: try row[0], attempt: try row[1], flushSequence: try row[2])
    }

    private func count(_ flush: Flush, _ kind: OutcomeKind) -> Int32 { Int32(flush.ledger[kind]) }

    private func standing(_ standing: Standing) -> PostgresQuery {
        switch standing {
        case .held(let lease): "lease_until = now() + \(lease.interval)"
        case .released: "state = 0, owner = NULL, lease_until = NULL"
        case .done: "state = 2, owner = NULL, lease_until = NULL"
        }
    }
}
