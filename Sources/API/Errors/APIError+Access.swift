import Administration
import Campaigns
import HTTPTypes
import JSON

/// Authentication and permissions.
extension APIError {
    static let missingKey = unauthorized("missing-key", "Sign in, or send an API key: \"Authorization: Bearer KEY\".")

    static let badAuthorization = unauthorized(
        "bad-authorization", "The Authorization header must be \"Bearer\", a space and an API key.")

    static let invalidKey = unauthorized("invalid-key", "This API key is unknown, was revoked or has expired.")

    static let sessionEnded = unauthorized("session-ended", "You were signed out. Sign in again.")

    static let addressNotAllowed = forbidden(
        "address-not-allowed", "This API key can't be used from this address. Use it from one of its allowed_addresses."
    )

    static let keyRequired = forbidden(
        "key-required", "This is about an API key. GET /v1/session is about you.")

    static let signInRequired = forbidden(
        "sign-in-required", "This requires a person who is signed in, not an API key.")

    static let secretKeyRequired = forbidden(
        "secret-key-required",
        "This requires a secret key. A publishable key can only register its app's devices, read what its app shows and "
            + "send acknowledgements.")

    static func scopeMissing(_ permission: Permission) -> APIError {
        forbidden("scope-missing", "This API key doesn't have the scope \(permission.rawValue).")
    }

    static func scopeWithheld(_ permission: Permission) -> APIError {
        forbidden(
            "scope-missing",
            "The person who made this API key does not have the permission \(permission.rawValue) any more. An admin can "
                + "take the key over, with POST …/keys/{key}/adopt.")
    }

    static func permissionMissing(_ permission: Permission) -> APIError {
        forbidden(
            "permission-missing",
            "Your roles don't include the permission \(permission.rawValue). Ask an admin for it.")
    }

    static let keyLimitedToOneApp = forbidden(
        "key-limited-to-one-app",
        "This API key belongs to one app, and this request is about all apps. Use the key of an administrator.")

    static let rolesLimitedToApps = forbidden(
        "roles-limited-to-apps",
        "Your roles are for single apps, and this request is about all apps. Ask an admin of all apps.")

    static let crossSite = forbidden(
        "cross-site", "Another site sent this request. Open Belfry's own page and repeat it there.")

    static func crossSiteTokenRequired(in field: String) -> APIError {
        forbidden(
            "cross-site-token-required",
            "Send the session's cross_site_token, which GET /v1/session returns, in the field \(field).")
    }
}
