import EventLoop
import HTTPTypes
import JSON

/// Signing in, people and keys.
extension APIError {
    static let wrongCredentials = unauthorized("wrong-credentials", "The e-mail address or the password is wrong.")

    static let wrongPassword = APIError(
        .unprocessableContent, "wrong-password", "The current password is wrong.", field: "current_password")

    static func tooManyAttempts(retryAfter delay: Duration) -> APIError {
        let seconds = seconds(delay)
        return limited(
            "too-many-attempts", "There were too many attempts. Try again in \(seconds) seconds.", retryAfter: seconds)
    }

    static let keyIsLimited = forbidden(
        "key-is-limited",
        "This API key expires or works only from some addresses, and what it gives to a person would not end. Sign in, or "
            + "use a key without these limits.")

    static let managesOwnPermissionsOnly = forbidden(
        "permission-missing",
        "You can only manage people whose permissions you have yourself, and give only such permissions.")

    static func givesOwnScopesOnly(not excess: [String]) -> APIError {
        forbidden(
            "scope-missing",
            "A key can have only scopes that its creator has. You don't have \(excess.list).")
    }

    static func managesOwnScopesOnly(not excess: [String]) -> APIError {
        forbidden(
            "scope-missing",
            "You can only manage keys whose scopes you have yourself. You don't have \(excess.list). "
                + "Ask an admin.")
    }

    static let phonesUseKey = forbidden(
        "scope-missing",
        "The app's phones use this publishable key. To manage it you need apps:write or devices:write beside keys. Ask an "
            + "admin.")

    static let keyWorksFromOtherAddresses = forbidden(
        "address-not-allowed",
        "The key works from addresses from which yours does not. Rotate it with a key without that limit.")

    static let accessEnded = forbidden(
        "access-ended", "Your API key, session or permission ended while the file was sent.")

    static let permissionsReduced = forbidden(
        "permissions-reduced",
        "The request was carried out, but you have lost permissions since then, so its answer is not repeated.")
}
