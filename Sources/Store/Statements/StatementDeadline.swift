/// Deadlines of statements, beside the default of all connections.
enum StatementDeadline {
    /// For statements on which a lease or the process's memory depends. Each takes milliseconds; when the connection
    /// has become silent, the process must find that out before its lease ends.
    static let lease = Duration.seconds(30)
}
