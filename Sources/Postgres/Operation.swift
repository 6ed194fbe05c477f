import EventLoop

/// One call on a connection, from submission to result.
struct Operation: PipelineOperation {
    let id: UInt64
    /// Nil for an exclusive operation, which is resumed when it has the connection to itself.
    let query: PostgresQuery?
    private var answer: Answer?
    var timer: EventLoop.Timer?
    /// The statement that this operation prepares, until the server has confirmed it.
    var preparing: StatementCache.Key?
    var rows: PostgresRows?
    var error: PostgresError?
    /// The number of times that it was retried because a cancel request for another operation had cancelled it.
    var retries = 0
    /// The reason to stop it: its deadline or its task's cancellation.
    var stopReason: PostgresError.Kind?

    /// The prepared statement that this operation deallocates. No caller waits for it.
    let deallocating: String?

    var isExclusive: Bool { query == nil }
    var sql: String { query?.sql ?? "" }

    init(id: UInt64, query: PostgresQuery?, answer: Answer) {
        self.id = id
        self.query = query
        self.answer = answer
        deallocating = nil
    }

    init(deallocating name: String) {
        id = 0
        query = PostgresQuery(unescaped: "DEALLOCATE \(name)")
        answer = nil
        deallocating = name
    }

    /// Resumes the caller. Later calls have no effect.
    mutating func resume(_ result: Result<PostgresRows?, PostgresError>) {
        switch answer {
        case .one(let continuation): continuation.resume(returning: result)
        case .ofSeveral(let answers, let index): answers.take(result, at: index)
        case nil: break
        }
        answer = nil
    }

    typealias Outcome = Result<PostgresRows?, PostgresError>

    /// The caller that waits for the outcome.
    enum Answer {
        case one(UnsafeContinuation<Outcome, Never>)
        case ofSeveral(Answers, index: Int)
    }

    /// Collects the outcomes of statements that were sent together, and resumes the caller when all are complete.
    final class Answers {
        private var outcomes: [Outcome?]
        private var missing: Int
        private let continuation: UnsafeContinuation<[Outcome], Never>

        init(count: Int, _ continuation: UnsafeContinuation<[Outcome], Never>) {
            outcomes = Array(repeating: nil, count: count)
            missing = count
            self.continuation = continuation
        }

        func take(_ outcome: Outcome, at index: Int) {
            outcomes[index] = outcome
            missing -= 1
            if missing == 0 { continuation.resume(returning: outcomes.compactMap(\.self)) }
        }
    }
}
