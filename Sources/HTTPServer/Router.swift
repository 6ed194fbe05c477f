public import HTTPTypes
public import Logging

/// From a request to its answer: routes, middleware around them, errors made visible. Works without
/// a socket too.
///
/// HEAD is answered by the route of GET, and OPTIONS by the list of methods, unless they are routed.
public struct Router: Sendable {
    /// Bytes of a request body, for routes that do not say otherwise.
    public static let defaultBodyLimit = 1024 * 1024

    private var tree = RouteTree()
    private var middleware: [any Middleware] = []
    private var fallback: RequestHandler?
    private let logger: Logger
    private let errorRenderer: @Sendable (HTTPError, Request?) -> Response

    /// Every route there is, in the order they were added.
    public private(set) var routes: [(method: HTTPRequest.Method, pattern: String)] = []

    public init(
        logger: Logger,
        errorRenderer: @escaping @Sendable (HTTPError, Request?) -> Response = ProblemDocument.render
    ) {
        self.logger = logger
        self.errorRenderer = errorRenderer
    }

    /// `pattern` is like "/v1/apps/{app}"; a parameter stands for one whole segment that is not empty.
    public mutating func add(
        _ method: HTTPRequest.Method, _ pattern: String, bodyLimit: Int = Router.defaultBodyLimit,
        _ handler: @escaping RequestHandler
    ) {
        precondition(pattern.hasPrefix("/"), "a pattern begins with a slash")
        let names = pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        tree.add(
            Route(method: method, pattern: pattern, parameterNames: names, bodyLimit: bodyLimit, handler: handler))
        routes.append((method, pattern))
    }

    /// The first one added is the outermost.
    public mutating func add(_ middleware: any Middleware) {
        self.middleware.append(middleware)
    }

    /// Gets GET and HEAD for paths that no route matches: static files.
    public mutating func setFallback(_ handler: @escaping RequestHandler) {
        fallback = handler
    }

    /// Never fails: an error becomes the answer that its kind deserves.
    public func respond(to request: Request) async -> Response {
        var request = request
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

    /// What an error looks like; an unknown one only says so, and its detail goes to the log.
    func render(_ error: any Error, for request: Request?) -> Response {
        switch error {
        case let error as HTTPError: return errorRenderer(error, request)
        case let error as any HTTPResponseError: return error.response
        default:
            logger.error(
                "a request failed",
                metadata: [
                    "request": "\(request?.id ?? "none")", "route": "\(request?.route ?? "none")",
                    "error": "\(error)",
                ])
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
        // A declared excess is refused before a byte of it is read.
        guard let length = request.body.declaredLength, length > route.bodyLimit else { return route.handler }
        return { request in
            try request.body.refuseDeclaredExcess()
            return try await route.handler(request)
        }
    }

    private func unmatched(_ request: Request) -> RequestHandler {
        if request.method == .options && request.head.path == "*" { return { _ in Response(status: .noContent) } }
        if let fallback, request.method == .get || request.method == .head { return fallback }
        return { _ in throw HTTPError.notFound }
    }
}
