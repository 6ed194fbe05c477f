public import HTTPTypes

/// An error that the server or a handler answers a request with. The router's `errorRenderer` renders it.
public struct HTTPError: Error, Equatable {
    public var status: HTTPResponse.Status
    /// A stable name that a program can compare, such as "header_too_large".
    public var code: String
    /// A message for people. It never repeats any part of the request.
    public var detail: String
    /// The limit in bytes that a body exceeded. `detail` contains it.
    public var limit: Int?
    /// Headers for the response, such as `Allow`.
    public var headers: HTTPFields

    public init(_ status: HTTPResponse.Status, code: String, detail: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = headers
    }
}

/// An error that provides its own response.
public protocol HTTPResponseError: Error {
    var response: Response { get }
}

extension HTTPError {
    static func malformed(_ detail: String) -> HTTPError {
        HTTPError(.badRequest, code: "malformed_request", detail: detail)
    }

    static let requestLineTooLong = HTTPError(
        .uriTooLong, code: "request_line_too_long",
        detail: "The request line is too long; shorten the path or the query.")
    static let headerTooLarge = HTTPError(
        .requestHeaderFieldsTooLarge, code: "header_too_large",
        detail: "The header is too large; send fewer or shorter fields.")
    static let tooManyFields = HTTPError(
        .requestHeaderFieldsTooLarge, code: "too_many_header_fields",
        detail: "The header has too many fields; send fewer.")
    static let unsupportedVersion = HTTPError(
        .httpVersionNotSupported, code: "unsupported_http_version",
        detail: "The HTTP version is not supported; use HTTP/1.1.")
    static let unsupportedCoding = HTTPError(
        .notImplemented, code: "unsupported_transfer_coding",
        detail: "The transfer coding is not supported; use `chunked`.")
    static let invalidGzip = HTTPError(
        .badRequest, code: "invalid_gzip",
        detail: "The body has the Content-Encoding gzip, but it is not complete gzip data.")
    /// Of a request body; RFC 9110 §12.5.3 names Accept-Encoding for the answer.
    static let unsupportedContentEncoding = HTTPError(
        .unsupportedMediaType, code: "unsupported_content_encoding",
        detail: "The body may be sent with the Content-Encoding gzip, or without one.",
        headers: [.acceptEncoding: "gzip"])
    static let unsupportedMethod = HTTPError(
        .notImplemented, code: "unsupported_method", detail: "CONNECT is not supported: this server is not a proxy.")
    static let expectationFailed = HTTPError(
        .expectationFailed, code: "expectation_failed",
        detail: "The expectation is not supported; use `100-continue`.")
    static let headerTimeout = HTTPError(
        .requestTimeout, code: "header_timeout", detail: "The header took too long to arrive.")
    static let bodyTimeout = HTTPError(
        .requestTimeout, code: "body_timeout", detail: "The body took too long to arrive.")
    static let incompleteBody = HTTPError(
        .badRequest, code: "incomplete_body", detail: "The connection ended before the end of the body.")
    static let tooManyConnections = HTTPError(
        .serviceUnavailable, code: "too_many_connections",
        detail: "The server has too many connections; try again shortly.",
        headers: [.retryAfter: "1"])
    /// The process has no file descriptor left.
    public static let outOfDescriptors = HTTPError(
        .serviceUnavailable, code: "server_busy", detail: "The server is too busy; try again shortly.",
        headers: [.retryAfter: "1"])
    static let notFound = HTTPError(.notFound, code: "not_found", detail: "There is no resource at this path.")
    public static let internalError = HTTPError(
        .internalServerError, code: "internal_error",
        detail: "The request failed because of an internal error; see the server's log for details.")

    static func contentTooLarge(limit: Int) -> HTTPError {
        var error = HTTPError(
            .contentTooLarge, code: "body_too_large", detail: "The body must not be larger than \(limit) bytes.")
        error.limit = limit
        return error
    }

    static func contentLengthTooLong(digits: Int) -> HTTPError {
        HTTPError(
            .contentTooLarge, code: "body_too_large",
            detail: "The Content-Length has more than \(digits) digits; no request takes a body of that size.")
    }

    static func methodNotAllowed(allow: String) -> HTTPError {
        HTTPError(
            .methodNotAllowed, code: "method_not_allowed",
            detail: "The method is not allowed here; use one of \(allow).",
            headers: [.allow: allow])
    }
}
