public import Campaigns
public import Postgres

/// Writes a batch's progress, fenced by owner, attempt and the number of the flush before.
public struct FlushStore: Sendable {
    /// The state of the batch after the flush.
    public enum Disposition: Sendable {
        /// Still leased; the lease is renewed.
        case held(lease: Duration)
        /// Released: another process may claim it immediately.
        case released
        case done
    }

    public struct Flush: Sendable {
        public var app: App.ID
        public var run: Run.ID
        public var batch: Batch.ID
        public var attempt: Int32
        /// One more than the flush before.
        public var sequence: Int32
        /// Recipients below this index may be on the wire once the flush is committed.
        public var sentThrough: Int
        public var outcomes: [UInt8]
        public var ledger: Ledger
        public var disposition: Disposition
        /// Recipients that this flush defers to other batches. Their bytes in `outcomes` have the kind `deferred`.
        public var deferrals: [BatchDeferral]
        public var answer: AnswerNote

        public init(
            of batch: ClaimedBatch, sequence: Int32, sentThrough: Int, outcomes: [UInt8], ledger: Ledger,
            disposition: Disposition, deferrals: [BatchDeferral] = [], answer: AnswerNote = .keep
        ) {
            app = batch.app
            run = batch.run
            self.batch = batch.id
            attempt = batch.attempt
            self.sequence = sequence
            self.sentThrough = sentThrough
            self.outcomes = outcomes
            self.ledger = ledger
            self.disposition = disposition
            self.deferrals = deferrals
            self.answer = answer
        }
    }

    /// The change of the batch's last answer.
    public enum AnswerNote: Hashable, Sendable {
        case keep
        /// Recipients wait because of this reason, which Apple gave before `age`.
        case set(String, age: Duration)
        /// Nobody waits any more.
        case clear
    }

    /// The state of the run when the flush was stored, on the database's clock.
    public struct Stored: Sendable {
        public let runState: RunRecord.State
        /// Time until the run's pushes expire; negative: they have expired.
        public let expiresIn: Duration
        /// Time until the batch's recipients must be re-evaluated before more are sent to; nil: never.
        public let reevaluateIn: Duration?
    }

    /// The state of a batch's row, for a process that lost the response to a flush.
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

    /// Stores the flush and its deferrals in one statement. Nil when the row has changed since this process last wrote
    /// it.
    public func store(_ flush: Flush) async throws(PostgresError) -> Stored? {
        var statement: PostgresQuery = """
            WITH stored AS (
                UPDATE batches b
                SET outcomes = \(flush.outcomes), sent_through = \(Int32(flush.sentThrough)), flush_seq = \(flush.sequence),
                    pending = \(count(flush, .pending)), accepted = \(count(flush, .accepted)),
                    rejected = \(count(flush, .rejected)), suppressed = \(count(flush, .suppressed)),
                    expired = \(count(flush, .expired)), cancelled = \(count(flush, .cancelled)),
                    unknown = \(count(flush, .unknown)), deferred = \(count(flush, .deferred)),
                    resent = \(Int32(flush.ledger.resent)), \(answer(flush.answer)) \(disposition(flush.disposition))
                FROM runs r
                WHERE b.app_id = \(flush.app) AND b.id = \(flush.batch) AND b.state = 'leased' AND b.owner = \(owner)
                    AND b.attempt = \(flush.attempt) AND b.flush_seq = \(flush.sequence - 1)
                    AND r.app_id = \(flush.app) AND r.id = \(flush.run)
                RETURNING b.id, b.run_id, b.app_id, b.environment, b.retries, b.variant, b.is_rest, b.is_environment_probe,
                    b.not_after,
                    \(flush.deferrals.isEmpty ? "" : "b.recipients, b.profiles," as PostgresQuery) r.state AS run_state, r.expires_at
            )
            """
        for (number, deferral) in flush.deferrals.enumerated() {
            statement += ", deferral_\(unescaped: String(number)) AS (\(deferral.statement))"
        }
        statement += """
             SELECT run_state, extract(epoch FROM expires_at - now())::float8,
                extract(epoch FROM not_after - now())::float8
            FROM stored
            """
        let rows = try await pool.query(statement, deadline: StatementDeadline.lease)
        guard let row = rows.first else { return nil }
        return Stored(
            runState: try row[0], expiresIn: .seconds(try row[1, as: Double.self]),
            reevaluateIn: try row[2, as: Double?.self].map { .seconds($0) })
    }

    public func row(of batch: ClaimedBatch) async throws(PostgresError) -> Row? {
        let rows = try await pool.query(
            """
            SELECT owner IS NOT DISTINCT FROM \(owner), attempt, flush_seq FROM batches
            WHERE app_id = \(batch.app) AND id = \(batch.id)
            """, deadline: StatementDeadline.lease)
        guard let row = rows.first else { return nil }
        return Row(isOurs: try row[0], attempt: try row[1], flushSequence: try row[2])
    }

    private func count(_ flush: Flush, _ kind: OutcomeKind) -> Int32 { Int32(flush.ledger[kind]) }

    /// Most flushes name no columns for it.
    private func answer(_ note: AnswerNote) -> PostgresQuery {
        switch note {
        case .keep: ""
        case .set(let reason, let age): "last_answer = \(reason), last_answered_at = now() - \(age.interval),"
        case .clear: "last_answer = NULL, last_answered_at = NULL,"
        }
    }

    private func disposition(_ disposition: Disposition) -> PostgresQuery {
        switch disposition {
        case .held(let lease): "lease_until = now() + \(lease.interval)"
        case .released: "state = 'ready', owner = NULL, lease_until = NULL"
        case .done: "state = 'done', owner = NULL, lease_until = NULL, ended_at = now()"
        }
    }
}
