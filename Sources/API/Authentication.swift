import Application
import Campaigns
import HTTPServer
import HTTPTypes
import Store

/// Finds the API key of a request (RFC 6750 §2.1) and checks that it may do what the request asks.
struct Authentication: Sendable {
    let keys: KnownAPIKeys

    func key(of request: Request, for access: Access) async throws -> APIKey {
        guard let header = request.headers.value(.authorization) else {
            throw APIError.unauthorized("missing-key", "An API key is required: send \"Authorization: Bearer KEY\".")
        }
        guard let text = Self.bearer(header) else {
            throw APIError.unauthorized(
                "bad-authorization", "The Authorization header must be \"Bearer\", a space and an API key.")
        }
        guard let key = try await keys.find(text) else {
            throw APIError.unauthorized("invalid-key", "This API key is unknown, was revoked or has expired.")
        }
        try access.check(key)
        return key
    }

    private static let scheme = Array("bearer ".utf8)

    /// The text after "Bearer ", whose case doesn't matter; nil without that prefix.
    private static func bearer(_ header: String) -> String? {
        let bytes = header.utf8
        guard bytes.count > scheme.count, zip(bytes, scheme).allSatisfy({ $0 | 0x20 == $1 }) else { return nil }
        return String(header[bytes.index(bytes.startIndex, offsetBy: scheme.count)...])
    }
}

extension Access {
    func check(_ key: APIKey) throws(APIError) {
        switch (self, key.kind) {
        case (.publishable, .publishable), (.anyKey, _): return
        case (.secret, .publishable):
            throw .forbidden(
                "secret-key-required",
                "This requires a secret key. A publishable key can only register its app's devices, read what its app "
                    + "shows and send acknowledgements.")
        case (.secret(let scope), .secret), (.publishable(or: let scope), .secret):
            guard key.scopes.contains(scope) else {
                throw .forbidden("scope-missing", "This API key doesn't have the scope \(scope.rawValue).")
            }
        }
    }
}
