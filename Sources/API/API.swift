public import HTTPServer

/// The HTTP API: the routes of its groups, each behind the layers of the pipeline. `APIGraph` builds it.
public struct API: Sendable {
    /// In the order of their declaration.
    let routes: [Route]
    let pipeline: Pipeline

    /// `assistants` makes the group whose tools are requests to the other routes.
    init(
        groups: [any RouteGroup], pipeline: Pipeline, assistants: ([Route], Router) -> AssistantRoutes
    ) {
        var routes = Routes()
        for group in groups { routes.add(group) }
        routes.add(assistants(routes.declared, pipeline.router(of: routes.declared)))
        self.routes = routes.declared
        self.pipeline = pipeline
    }

    /// A router with all routes. The caller adds static files with `setFallback`.
    public func router() -> Router { pipeline.router(of: routes) }

    /// A router with those of devices alone. Everything else is a 404, or a 405 for another method.
    public func deviceRouter() -> Router { pipeline.router(of: routes.filter(\.isForDevices)) }
}
