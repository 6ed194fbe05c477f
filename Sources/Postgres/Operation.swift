import EventLoop

/// One call on a connection, from its submission to its answer.
struct Operation: PipelineOperation {
    let id: UInt64
    /// Nil for an exclusive one, which is resumed when the connection is its own.
    let query: PostgresQuery?
    private var continuation: UnsafeContinuation<Result<PostgresRows?, PostgresError>, Never>?
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

    init(
        id: UInt64, query: PostgresQuery?,
        continuation: UnsafeContinuation<Result<PostgresRows?, PostgresError>, Never>?
    ) {
        self.id = id
        self.query = query
        self.continuation = continuation
        deallocating = nil
    }

    init(deallocating name: String) {
        id = 0
        query = PostgresQuery(unescaped: "DEALLOCATE \(name)")
        continuation = nil
        deallocating = name
    }

    /// Has an effect once.
    mutating func resume(_ result: Result<PostgresRows?, PostgresError>) {
        continuation?.resume(returning: result)
        continuation = nil
    }
}
