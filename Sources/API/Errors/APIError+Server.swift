import HTTPTypes
import JSON

/// The state of the server, which has nothing to do with the request.
extension APIError {
    static let internalError = APIError(
        .internalServerError, "internal-error",
        "The server failed to handle the request. Its log contains the details under the request id.")

    // MARK: The database

    static let databaseUnavailable = noDatabase(
        "The database is unavailable. Nothing was stored; send the request again.")

    static let databaseOnlyReadable = noDatabase(
        "No database server accepts writes: all of them are standbys. Nothing was stored; send the request again.")

    static let commitLost = noDatabase(
        "The connection to the database was lost during the commit, so the change may or may not be stored. Check before "
            + "you send the request again.")

    /// Of requests that can be repeated in any case.
    static let databaseUnavailableForGroup = noDatabase(
        "The database is unavailable. Send the request again.")

    static let databaseUnavailableForPushes = noDatabase(
        "The database is unavailable, and the pushes may or may not be stored. Send the request again with the same "
            + "Idempotency-Key; without one, the pushes may be sent twice.")

    private static func noDatabase(_ message: Message) -> APIError {
        unavailable("database-unavailable", message, retryAfter: ErrorRendering.retryAfterSeconds)
    }

    static func schemaVersionMismatch(found: Int, required: Int) -> APIError {
        unavailable(
            "schema-version-mismatch",
            "The database schema is at migration \(found), but this program requires \(required). Run belfry migrate.",
            retryAfter: ErrorRendering.retryAfterSeconds)
    }

    // MARK: Too much at once

    static let overloaded = unavailable(
        "overloaded", "The server is overloaded. Send the request again in a few seconds.", retryAfter: 1)

    static let shuttingDown = unavailable(
        "shutting-down", "The server is shutting down. Send the request again.", retryAfter: 1)

    /// `sender` is a key or an address.
    static func rateLimited(_ sender: String, retryAfter delay: Duration) -> APIError {
        tooManyRequests("rate-limited", "There are too many requests from this \(sender).", retryAfter: delay)
    }

    static func tooManyOwnStreams(maximum: Int, retryAfter seconds: Int) -> APIError {
        tooManyRequests(
            "too-many-own-streams",
            "You have \(maximum) open progress streams, the most that one person or API key can have. Close one.",
            retryAfter: .seconds(seconds))
    }

    static func tooManyStreams(retryAfter seconds: Int) -> APIError {
        unavailable(
            "too-many-streams", "Too many progress streams are open. Try again in a few seconds.", retryAfter: seconds)
    }
}
