import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import Store

extension IdempotencyKey {
    private static let header = HTTPField.Name("Idempotency-Key")

    static func isGiven(_ request: Request) -> Bool {
        header.flatMap { request.headers.value($0) } != nil
    }

    /// Nil if the request has no Idempotency-Key.
    init?(_ request: Request, of owner: Owner, body: [UInt8]) throws(APIError) {
        guard let name = Self.header, let text = request.headers.value(name) else { return nil }
        guard let key = IdempotencyKey(text, of: owner, bodyHash: SHA256.hash(body)) else {
            throw .invalidIdempotencyKey(maximumLength: IdempotencyKey.maximumLength)
        }
        self = key
    }
}

extension Caller {
    /// A key that replaced another by rotation is another caller: it may be in other hands.
    var keyOwner: IdempotencyKey.Owner {
        switch self {
        case .key(let key): .apiKey(key.id.rawValue)
        case .person(let signedIn, _): .user(signedIn.user.id)
        }
    }
}
