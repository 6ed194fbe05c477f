import HTTPServer

/// A rule that many routes share. Layers lie around a route's handler: each answers a request itself, or asks the next
/// one and may change its response. `Pipeline` has their order.
protocol Layer<Subject>: Sendable {
    /// `Request` until the caller is known, `Call` afterwards.
    associatedtype Subject: LayerSubject

    func respond(to subject: Subject, next: Handler<Subject>) async throws -> Response
}

protocol RequestLayer: Layer where Subject == Request {}
protocol CallLayer: Layer where Subject == Call {}

typealias Handler<Subject> = @Sendable (Subject) async throws -> Response

protocol LayerSubject: Sendable {
    var request: Request { get }
}

extension Request: LayerSubject {
    var request: Request { self }
}

extension Call: LayerSubject {}

extension Layer {
    func around(_ next: @escaping Handler<Subject>) -> Handler<Subject> {
        { subject in try await respond(to: subject, next: next) }
    }
}

extension Array {
    /// The handler that asks these layers, the first one first, and then `handler`.
    func around<Subject>(_ handler: @escaping Handler<Subject>) -> Handler<Subject>
    where Element == any Layer<Subject> {
        reversed().reduce(handler) { next, layer in layer.around(next) }
    }
}
