public import Postgres

/// Why a request was not stored.
public enum GroupCommitError: Error {
    /// Too many requests wait already.
    case full
    /// The process is shutting down.
    case stopping
    /// Nothing was stored, or the result is ambiguous (the connection was lost during COMMIT). Repeat the request.
    case unavailable(PostgresError)
    /// The database refused this request.
    case refused(any Error)
}

/// Why the database refused one request of a list: a `Refusal`, or an unexpected error.
public struct RefusedRequest: Error {
    public let reason: any Error
}
