import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import Store

/// Answers a repeated POST with an Idempotency-Key as it answered the first.
struct IdempotentRequests: Sendable {
    let store: IdempotencyStore

    /// Runs `handler` once for the request's key; every time for a request without one.
    func respond(
        to call: Call, _ handler: @Sendable (Call) async throws -> Response
    ) async throws -> Response {
        let request = call.request
        guard IdempotencyKey.isGiven(request) else { return try await handler(call) }
        let bytes = try await request.body.collect()
        var call = call
        call.request.replaceBody(bytes)
        // A key belongs to one request: to its method and path, too.
        let identity = Array("\(request.method) \(request.path)\n".utf8) + bytes
        guard let key = try IdempotencyKey(request, body: identity) else { return try await handler(call) }
        let app = request.parameters["app"].flatMap { App.ID($0) }
        let answer = try await store.once(key, app: app) { [call] in
            let response = try await handler(call)
            guard case .bytes(let body) = response.body else { return response.answer([]) }
            return response.answer(body)
        }
        return Response(answer)
    }
}

extension Response {
    fileprivate func answer(_ body: [UInt8]) -> IdempotencyStore.Answer {
        IdempotencyStore.Answer(
            status: status.code, etag: headers[.eTag], location: headers[.location], body: body)
    }

    fileprivate init(_ answer: IdempotencyStore.Answer) {
        self = Response.json(answer.body, status: .init(code: answer.status))
        headers[.eTag] = answer.etag
        headers[.location] = answer.location
    }
}
