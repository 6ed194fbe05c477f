public import Postgres

/// Why a request was not stored.
public enum GroupCommitError: Error {
    /// Too many wait already.
    case full
    /// The process is about to end.
    case stopping
    /// Nothing was stored, or nobody knows (the connection was lost during COMMIT): to be repeated.
    case unavailable(PostgresError)
    /// The database refuses this one request.
    case refused(any Error)
}
