public import HTTPTypes
public import JSON
import Notifications

/// An answer that is a problem (RFC 9457), in words for whoever made the request.
public struct APIError: Error, Equatable {
    public var status: HTTPResponse.Status
    /// Stable, in kebab-case.
    public var code: String
    public var detail: String
    /// The one member or parameter at fault.
    public var field: String?
    /// All that is wrong with a body, by its paths.
    public var problems: [Problem] = []
    public var headers: HTTPFields = [:]

    public init(_ status: HTTPResponse.Status, _ code: String, _ detail: String, field: String? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
    }

    /// A body whose members are at fault; `problems` is not empty.
    public init(problems: [Problem]) {
        self.init(.unprocessableContent, "invalid-body", Self.words(problems), field: problems.first?.path)
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

    /// RFC 9110 §11.6.1 wants the challenge with every 401.
    public static func unauthorized(_ code: String, _ detail: String) -> APIError {
        var refusal = APIError(.unauthorized, code, detail)
        refusal.headers[.wwwAuthenticate] = "Bearer"
        return refusal
    }

    /// `seconds` until it is worth trying again.
    public static func unavailable(_ code: String, _ detail: String, retryAfter seconds: Int) -> APIError {
        var refusal = APIError(.serviceUnavailable, code, detail)
        refusal.headers[.retryAfter] = String(seconds)
        return refusal
    }

    private static func words(_ problems: [Problem]) -> String {
        problems.map(\.sentence).joined(separator: " ")
    }
}
