public import HTTPTypes

/// A request that the server refuses, by itself or because a handler threw this. How it is shown is
/// the router's `errorRenderer`'s business.
public struct HTTPError: Error, Equatable {
    public var status: HTTPResponse.Status
    /// A stable name that a program can compare, such as "header_too_large".
    public var code: String
    /// Words for people. Nothing of the request is repeated in them.
    public var detail: String
    /// Headers that belong to the refusal, such as `Allow`.
    public var headers: HTTPFields

    public init(_ status: HTTPResponse.Status, code: String, detail: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = headers
    }
}

/// An error that knows its own answer.
public protocol HTTPResponseError: Error {
    var response: Response { get }
}

extension HTTPError {
    static func malformed(_ detail: String) -> HTTPError {
        HTTPError(.badRequest, code: "malformed_request", detail: detail)
    }

    static let requestLineTooLong = HTTPError(
        .uriTooLong, code: "request_line_too_long", detail: "The request line is too long.")
    static let headerTooLarge = HTTPError(
        .requestHeaderFieldsTooLarge, code: "header_too_large", detail: "The header is too large.")
    static let tooManyFields = HTTPError(
        .requestHeaderFieldsTooLarge, code: "too_many_header_fields", detail: "The header has too many fields.")
    static let unsupportedVersion = HTTPError(
        .httpVersionNotSupported, code: "unsupported_http_version", detail: "This server speaks HTTP/1.1.")
    static let unsupportedCoding = HTTPError(
        .notImplemented, code: "unsupported_transfer_coding", detail: "The only transfer coding here is chunked.")
    static let unsupportedMethod = HTTPError(
        .notImplemented, code: "unsupported_method", detail: "This server does not act as a proxy.")
    static let expectationFailed = HTTPError(
        .expectationFailed, code: "expectation_failed", detail: "The only expectation here is 100-continue.")
    static let headerTimeout = HTTPError(
        .requestTimeout, code: "header_timeout", detail: "The header took too long to arrive.")
    static let bodyTimeout = HTTPError(
        .requestTimeout, code: "body_timeout", detail: "The body took too long to arrive.")
    static let bodyCutShort = HTTPError(
        .badRequest, code: "body_cut_short", detail: "The connection ended before the body did.")
    static let tooManyConnections = HTTPError(
        .serviceUnavailable, code: "too_many_connections", detail: "Too many connections; try again shortly.",
        headers: [.retryAfter: "1"])
    static let notFound = HTTPError(.notFound, code: "not_found", detail: "There is nothing at this address.")
    static let internalError = HTTPError(
        .internalServerError, code: "internal_error", detail: "Something went wrong here; the log has the details.")

    static func contentTooLarge(limit: Int) -> HTTPError {
        HTTPError(.contentTooLarge, code: "body_too_large", detail: "The body may have up to \(limit) bytes.")
    }

    static func methodNotAllowed(allow: String) -> HTTPError {
        HTTPError(
            .methodNotAllowed, code: "method_not_allowed", detail: "This address takes \(allow).",
            headers: [.allow: allow])
    }
}
