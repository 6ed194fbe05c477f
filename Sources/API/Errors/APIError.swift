import EventLoop
import HTTPTypes
import JSON
import Notifications

/// A response that is a problem document (RFC 9457), with a message for the sender of the request.
struct APIError: Error, Equatable {
    var status: HTTPResponse.Status
    /// Stable, in kebab-case.
    var code: String
    var detail: Message
    /// The one member or parameter at fault.
    var field: String?
    /// All errors in a body, with their paths.
    var problems: [Problem] = []
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: String, _ detail: Message, field: String? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
    }

    /// A body with invalid members; `problems` is not empty.
    init(problems: [Problem]) {
        self.init(.unprocessableContent, "invalid-body", Self.message(problems), field: problems.first?.path)
        if problems.count > 1 { field = nil }
        self.problems = problems
    }

    static func badRequest(_ code: String, _ detail: Message, field: String? = nil) -> APIError {
        APIError(.badRequest, code, detail, field: field)
    }

    static func conflict(_ code: String, _ detail: Message, field: String? = nil) -> APIError {
        APIError(.conflict, code, detail, field: field)
    }

    static func forbidden(_ code: String, _ detail: Message) -> APIError {
        APIError(.forbidden, code, detail)
    }

    /// RFC 9110 §11.6.1 requires the challenge with every 401.
    static func unauthorized(_ code: String, _ detail: Message) -> APIError {
        var refusal = APIError(.unauthorized, code, detail)
        refusal.headers[.wwwAuthenticate] = "Bearer"
        return refusal
    }

    /// `seconds` is the time until a retry makes sense.
    static func unavailable(_ code: String, _ detail: Message, retryAfter seconds: Int) -> APIError {
        var refusal = APIError(.serviceUnavailable, code, detail)
        refusal.headers[.retryAfter] = String(seconds)
        return refusal
    }

    /// `detail` says what there is too much of.
    static func tooManyRequests(_ code: String, _ detail: Message, retryAfter delay: Duration) -> APIError {
        let seconds = seconds(delay)
        return limited(code, "\(detail) Try again in \(seconds) seconds.", retryAfter: seconds)
    }

    static func limited(_ code: String, _ detail: Message, retryAfter seconds: Int) -> APIError {
        var refusal = APIError(.tooManyRequests, code, detail)
        refusal.headers[.retryAfter] = String(seconds)
        return refusal
    }

    static func seconds(_ delay: Duration) -> Int { max(1, Int(delay.seconds.rounded(.up))) }

    private static func message(_ problems: [Problem]) -> Message {
        .sentences(problems.map(\.sentence))
    }
}
