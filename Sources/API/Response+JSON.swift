import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres

extension Response {
    static func json(_ json: JSON, status: HTTPResponse.Status = .ok) -> Response {
        .json(json.encoded(), status: status)
    }

    /// A response with an ETag (RFC 9110 §8.8.3): the version, which clients send back in `If-Match`, and a hash of the
    /// content, which they send back in `If-None-Match`. A resource that never changes has the version 1.
    static func json(_ json: JSON, version: Int, status: HTTPResponse.Status = .ok) -> Response {
        let bytes = json.encoded()
        var response = Response.json(bytes, status: status)
        response.headers[.eTag] = "\"\(version)-\(Hex.encode(SHA256.hash(bytes).prefix(tagLength)))\""
        // Shared caches must not store it, and clients must revalidate it each time.
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    /// The number of bytes of the hash in an ETag.
    private static let tagLength = 8

    /// This response with the path of the new resource as its Location (RFC 9110 §15.3.2).
    func located(at path: String) -> Response {
        var response = self
        response.headers[.location] = path
        return response
    }

    static let noContent = Response(status: .noContent)
}

extension JSON {
    static func id<Of>(_ id: Identifier<Of>) -> JSON { .string(id.description) }
    /// An exact number; null if the text is none.
    static func decimal(_ text: String) -> JSON { JSON.Number(decimal: text).map(JSON.number) ?? .null }
    /// Null for nil.
    static func decimal(_ value: Double?) -> JSON { value.flatMap { Number($0) }.map { .number($0) } ?? .null }
    static func time(_ time: Timestamp) -> JSON { .string(time.rfc3339) }
    static func time(_ time: Timestamp?) -> JSON { time.map { .string($0.rfc3339) } ?? .null }
    static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    static func text(_ message: Message?) -> JSON { message.map { .string($0.description) } ?? .null }
    /// The value of the member beside the message's text.
    static func localization(_ message: Message?) -> JSON { message?.localization ?? .null }
    static func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
    static func count(_ count: Int) -> JSON { .number(Number(count)) }
}
