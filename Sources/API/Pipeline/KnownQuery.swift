import HTTPServer

/// Refuses query parameters that the route does not declare.
struct KnownQuery<Subject: LayerSubject>: Layer {
    private let known: [String]

    func around(_ next: @escaping Handler<Subject>) -> Handler<Subject> {
        { subject in
            try subject.request.checkQuery(known)
            return try await next(subject)
        }
    }
}

extension KnownQuery where Subject == Call {
    init(_ route: Route) { known = route.query }
}

extension KnownQuery where Subject == Request {
    /// For open routes. Monitoring and links to files may add parameters of their own.
    init?(_ route: Route) {
        guard route.access == nil, route.isVersioned else { return nil }
        known = route.query
    }
}
