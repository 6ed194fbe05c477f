import EventLoop

/// One call on a connection, from its submission to its answer.
struct Operation: PipelineOperation {
    let id: UInt64
    /// Nil for an exclusive one, which is resumed when the connection is its own.
    let query: PostgresQuery?
    private var answer: Answer?
    var timer: EventLoop.Timer?
    /// The statement whose preparation the server has not answered yet.
    var preparing: StatementCache.Key?
    var rows: PostgresRows?
    var error: PostgresError?
    /// How often it was sent again because another's cancel request had hit it.
    var repeats = 0
    /// Why it was asked to stop: its deadline or its task's cancellation.
    var stopReason: PostgresError.Kind?

    /// The prepared statement that this operation, which nobody waits for, drops.
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

    /// Has an effect once.
    mutating func resume(_ result: Result<PostgresRows?, PostgresError>) {
        switch answer {
        case .one(let continuation): continuation.resume(returning: result)
        case .ofSeveral(let answers, let place): answers.take(result, at: place)
        case nil: break
        }
        answer = nil
    }

    typealias Outcome = Result<PostgresRows?, PostgresError>

    /// Who waits for it.
    enum Answer {
        case one(UnsafeContinuation<Outcome, Never>)
        case ofSeveral(Answers, place: Int)
    }

    /// The outcomes of statements that were sent together; whoever sent them is resumed when all are there.
    final class Answers {
        private var outcomes: [Outcome?]
        private var missing: Int
        private let continuation: UnsafeContinuation<[Outcome], Never>

        init(count: Int, _ continuation: UnsafeContinuation<[Outcome], Never>) {
            outcomes = Array(repeating: nil, count: count)
            missing = count
            self.continuation = continuation
        }

        func take(_ outcome: Outcome, at place: Int) {
            outcomes[place] = outcome
            missing -= 1
            if missing == 0 { continuation.resume(returning: outcomes.compactMap(\.self)) }
        }
    }
}
