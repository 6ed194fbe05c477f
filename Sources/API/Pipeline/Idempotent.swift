import Administration
import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import Store

/// Answers a repeated POST with an Idempotency-Key as it answered the first.
///
/// The route has checked its access before. A handler may check more, depending on the body, and does not run for a
/// repetition; so somebody who has lost a permission since the first request is not answered.
///
/// Docs/decisions/api.md explains why a repetition waits in PostgreSQL.
struct Idempotent: CallLayer {
    private let store: IdempotencyStore
    private let answerHoldsSecret: Bool

    init?(_ route: Route, _ store: IdempotencyStore) {
        guard route.takesIdempotencyKey else { return nil }
        self.store = store
        answerHoldsSecret = route.answerHoldsSecret
    }

    /// Runs `next` once for the request's key; every time for a request without one. An answer that holds a secret
    /// is not stored, and not repeated.
    func around(_ next: @escaping CallHandler) -> CallHandler {
        { call in
            let request = call.request
            guard IdempotencyKey.isGiven(request) else { return try await next(call) }
            let bytes = try await request.body.collect()
            var call = call
            call.request.replaceBody(bytes)
            // A key belongs to one request: to its method and path, too.
            let identity = Array("\(request.method) \(request.path)\n".utf8) + bytes
            guard let key = try IdempotencyKey(request, of: call.caller.keyOwner, body: identity) else {
                return try await next(call)
            }
            let app = request.parameters["app"].flatMap { App.ID($0) }
            let permissions = call.caller.grants.names(in: app)
            var first: Response?
            let answer = try await store.once(key, app: app) { [call] in
                let response = try await next(call)
                first = response
                return response.answer(withBody: !answerHoldsSecret, permissions)
            }
            if let first { return first }
            guard Set(answer.permissions).isSubset(of: permissions) else { throw APIError.permissionsReduced }
            guard !answerHoldsSecret else { throw APIError.secretShownOnce(answer.location) }
            return Response(answer)
        }
    }
}

extension Grants {
    /// The permissions in the app, or without one all of them, as they are compared with later ones.
    fileprivate func names(in app: App.ID?) -> [String] {
        let single = app == nil ? inApps : [:]
        let names = single.flatMap { app, permissions in permissions.map { "\(app) \($0.rawValue)" } }
        return (names + permissions(in: app).map(\.rawValue)).sorted()
    }
}

extension Response {
    fileprivate func answer(withBody isStored: Bool, _ permissions: [String]) -> IdempotencyStore.Answer {
        var bytes: [UInt8] = []
        if isStored, case .bytes(let body) = body { bytes = body }
        return IdempotencyStore.Answer(
            status: status.code, etag: headers[.eTag], location: headers[.location], body: bytes,
            permissions: permissions)
    }

    fileprivate init(_ answer: IdempotencyStore.Answer) {
        self = Response.json(answer.body, status: .init(code: answer.status))
        headers[.eTag] = answer.etag
        headers[.location] = answer.location
    }
}
