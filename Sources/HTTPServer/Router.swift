import EventLoop
public import HTTPTypes
public import Logging

/// Routes requests to handlers, applies middleware and renders errors. It also works without a socket.
///
/// Without routes of their own, HEAD is answered by the route for GET, and OPTIONS by the list of methods.
public struct Router: Sendable {
    /// The default maximum size of a request body, in bytes.
    public static let defaultBodyLimit = 1024 * 1024

    private var tree = RouteTree()
    private var middleware: [any Middleware] = []
    private var fallback: RequestHandler?
    private let logger: Logger
    private let errorRenderer: @Sendable (HTTPError, Request?) -> Response

    /// All routes, in the order in which they were added.
    public private(set) var routes: [(method: HTTPRequest.Method, pattern: String)] = []

    public init(
        logger: Logger,
        errorRenderer: @escaping @Sendable (HTTPError, Request?) -> Response = ProblemDocument.render
    ) {
        self.logger = logger
        self.errorRenderer = errorRenderer
    }

    /// Adds a route. `pattern` is like "/v1/apps/{app}"; a parameter matches one whole segment that is not empty.
    public mutating func add(
        _ method: HTTPRequest.Method, _ pattern: String, bodyLimit: Int = Router.defaultBodyLimit,
        _ handler: @escaping RequestHandler
    ) {
        precondition(pattern.hasPrefix("/"), "a pattern must begin with a slash")
        let names = pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        tree.add(
            Route(method: method, pattern: pattern, parameterNames: names, bodyLimit: bodyLimit, handler: handler))
        routes.append((method, pattern))
    }

    /// Adds middleware. The first one added is the outermost.
    public mutating func add(_ middleware: any Middleware) {
        self.middleware.append(middleware)
    }

    /// Sets the handler of GET and HEAD for paths that no route matches, for example for static files.
    public mutating func setFallback(_ handler: @escaping RequestHandler) {
        fallback = handler
    }

    /// Returns the response to a request. Errors are rendered as responses.
    public func respond(to request: Request) async -> Response {
        var request = request
        return await respond(resolving: &request)
    }

    /// Does the same, and sets the request's route.
    func respond(resolving request: inout Request) async -> Response {
        let handler = resolve(&request)
        return await run(handler, in: middleware[...], request)
    }

    private func run(
        _ handler: @escaping RequestHandler, in layers: ArraySlice<any Middleware>, _ request: Request
    ) async -> Response {
        do {
            guard let layer = layers.first else { return try await handler(request) }
            let rest = layers.dropFirst()
            return try await layer.handle(request) { await self.run(handler, in: rest, $0) }
        } catch {
            return render(error, for: request)
        }
    }

    /// Renders an error. An unknown error is answered as an internal error, and its details are logged.
    func render(_ error: any Error, for request: Request?) -> Response {
        switch error {
        case let error as HTTPError: return errorRenderer(error, request)
        case let error as any HTTPResponseError: return error.response
        case let error as SystemError where error.isOutOfDescriptors: return errorRenderer(.outOfDescriptors, request)
        default:
            logger.error(
                "request failed",
                metadata: Request.logFields(of: request, ["error": "\(error)"]))
            return errorRenderer(.internalError, request)
        }
    }

    // MARK: Finding the handler

    private func resolve(_ request: inout Request) -> RequestHandler {
        guard let (leaf, values) = tree.find(request.rawPath) else { return unmatched(request) }
        let method = request.method
        guard
            let route = leaf.routes.first(where: { $0.method == method })
                ?? (method == .head ? leaf.routes.first { $0.method == .get } : nil)
        else {
            let allow = leaf.allow
            if method == .options {
                return { _ in Response(status: .noContent, headers: [.allow: allow]) }
            }
            return { _ in throw HTTPError.methodNotAllowed(allow: allow) }
        }
        request.parameters = PathParameters(route, values: values)
        request.body.limit = route.bodyLimit
        switch request.headers.value(.contentEncoding)?.lowercased() {
        case nil, "identity": break
        case "gzip", "x-gzip":
            request.body.isGzip = true
            // It is the length before decompression.
            if request.body.declaredLength != 0 { request.body.declaredLength = nil }
        default: return { _ in throw HTTPError.unsupportedContentEncoding }
        }
        // A body whose declared length is too large is rejected before it is read.
        guard let length = request.body.declaredLength, length > route.bodyLimit else { return route.handler }
        return { request in
            try request.body.checkDeclaredLength()
            return try await route.handler(request)
        }
    }

    private func unmatched(_ request: Request) -> RequestHandler {
        if request.method == .options && request.head.path == "*" { return { _ in Response(status: .noContent) } }
        if let fallback, request.method == .get || request.method == .head { return fallback }
        return { _ in throw HTTPError.notFound }
    }
}
