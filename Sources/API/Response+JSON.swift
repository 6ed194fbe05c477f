import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres

extension Response {
    static func json(_ json: JSON, status: HTTPResponse.Status = .ok) -> Response {
        .json(json.encoded(), status: status)
    }

    /// A response with the version as its ETag, which clients send back in `If-Match` (RFC 9110 §8.8.3).
    static func json(_ json: JSON, version: Int, status: HTTPResponse.Status = .ok) -> Response {
        var response = Response.json(json, status: status)
        response.headers[.eTag] = "\"\(version)\""
        return response
    }

    static let noContent = Response(status: .noContent)
}

extension JSON {
    static func id<Of>(_ id: Identifier<Of>) -> JSON { .string(id.description) }
    static func time(_ time: Timestamp) -> JSON { .string(time.rfc3339) }
    static func time(_ time: Timestamp?) -> JSON { time.map { .string($0.rfc3339) } ?? .null }
    static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    static func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
    static func count(_ count: Int) -> JSON { .number(Number(count)) }
}
