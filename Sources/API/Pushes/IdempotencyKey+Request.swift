import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import Store

extension IdempotencyKey {
    /// Nil if the request has no Idempotency-Key.
    init?(_ request: Request, body: [UInt8]) throws(APIError) {
        guard let name = HTTPField.Name("Idempotency-Key"), let text = request.headers.value(name) else { return nil }
        guard let key = IdempotencyKey(text, bodyHash: SHA256.hash(body)) else {
            throw .badRequest(
                "invalid-idempotency-key",
                "The Idempotency-Key must be 1 to \(IdempotencyKey.maximumLength) printable ASCII characters.",
                field: "Idempotency-Key")
        }
        self = key
    }
}
