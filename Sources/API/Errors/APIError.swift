import EventLoop
public import HTTPTypes
public import JSON
import Notifications

/// A response that is a problem document (RFC 9457), with a message for the sender of the request.
public struct APIError: Error, Equatable {
    public var status: HTTPResponse.Status
    /// Stable, in kebab-case.
    public var code: String
    public var detail: String
    /// The one member or parameter at fault.
    public var field: String?
    /// All errors in a body, with their paths.
    public var problems: [Problem] = []
    public var headers: HTTPFields = [:]

    public init(_ status: HTTPResponse.Status, _ code: String, _ detail: String, field: String? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
    }

    /// A body with invalid members; `problems` is not empty.
    public init(problems: [Problem]) {
        self.init(.unprocessableContent, "invalid-body", Self.message(problems), field: problems.first?.path)
        if problems.count > 1 { field = nil }
        self.problems = problems
    }

    public static func badRequest(_ code: String, _ detail: String, field: String? = nil) -> APIError {
        APIError(.badRequest, code, detail, field: field)
    }

    public static func conflict(_ code: String, _ detail: String, field: String? = nil) -> APIError {
        APIError(.conflict, code, detail, field: field)
    }

    public static func forbidden(_ code: String, _ detail: String) -> APIError {
        APIError(.forbidden, code, detail)
    }

    /// RFC 9110 §11.6.1 requires the challenge with every 401.
    public static func unauthorized(_ code: String, _ detail: String) -> APIError {
        var refusal = APIError(.unauthorized, code, detail)
        refusal.headers[.wwwAuthenticate] = "Bearer"
        return refusal
    }

    /// `seconds` is the time until a retry makes sense.
    public static func unavailable(_ code: String, _ detail: String, retryAfter seconds: Int) -> APIError {
        var refusal = APIError(.serviceUnavailable, code, detail)
        refusal.headers[.retryAfter] = String(seconds)
        return refusal
    }

    /// `detail` says what there is too much of.
    static func tooManyRequests(_ code: String, _ detail: String, retryAfter delay: Duration) -> APIError {
        let seconds = max(1, Int(delay.seconds.rounded(.up)))
        var refusal = APIError(.tooManyRequests, code, "\(detail) Try again in \(seconds) seconds.")
        refusal.headers[.retryAfter] = String(seconds)
        return refusal
    }

    private static func message(_ problems: [Problem]) -> String {
        problems.map(\.sentence).joined(separator: " ")
    }
}
