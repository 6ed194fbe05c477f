import EventLoop
import Postgres

extension Duration {
    /// The duration as an expression of SQL.
    var interval: PostgresQuery {
        "make_interval(secs => \(seconds))"
    }
}
