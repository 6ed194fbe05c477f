import EventLoop
import HTTPClient
import HTTPTypes
import Testing

@testable import HTTPServer

private enum Principal: RequestKey { typealias Value = String }

private struct Stamp: Middleware {
    let name: String

    func handle(
        _ request: Request, next: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> Response {
        var request = request
        request[Principal.self] = (request[Principal.self] ?? "") + name
        var response = try await next(request)
        response.headers[.server] = (response.headers[.server] ?? "") + name
        return response
    }
}

private struct Teapot: HTTPResponseError {
    let response = Response(status: 418, body: .bytes(Array("teapot".utf8)))
}

/// Each test runs with and without a socket.
enum Way: CaseIterable { case router, live }

struct RouterTests {
    struct Answer {
        let status: Int
        let headers: HTTPFields
        let body: String
    }

    private func ask(
        _ way: Way, _ router: Router, _ requests: [(HTTPRequest.Method, String)],
        check: @escaping @Sendable ([Answer]) throws -> Void
    ) async throws {
        try await LiveServer.run(router) { live in
            var answers: [Answer] = []
            for (method, path) in requests {
                if way == .router {
                    let response = await router.respond(to: try Request(method, path, on: live.loop))
                    let body = String(decoding: try await response.collect(upTo: 10_000), as: UTF8.self)
                    answers.append(Answer(status: response.status.code, headers: response.headers, body: body))
                } else {
                    let client = try await live.client()
                    let (head, body) = try await client.send(method, path)
                    answers.append(
                        Answer(
                            status: head.status.code, headers: head.headerFields,
                            body: String(decoding: body, as: UTF8.self)))
                    await client.close()
                }
            }
            try check(answers)
        }
    }

    private func makeRouter() -> Router {
        var router = Router(logger: LiveServer.quiet)
        for pattern in ["/", "/v1/apps", "/v1/apps/{app}", "/v1/apps/import", "/v1/apps/{app}/devices/{device}"] {
            router.add(.get, pattern) { request in
                .text(
                    "\(request.route ?? "") \(request.parameters["app"] ?? "-") \(request.parameters["device"] ?? "-")")
            }
        }
        router.add(.post, "/v1/apps") { _ in Response(status: .created) }
        router.add(.get, "/query") { .text("\($0.queryItems["a"] ?? "-") \($0.queryItems.all("a").count)") }
        router.add(.get, "/who") { .text($0[Principal.self] ?? "nobody") }
        router.add(.get, "/teapot") { _ in throw Teapot() }
        router.add(.get, "/secret") { _ in throw SystemError(operation: "secret detail", code: 1) }
        return router
    }

    @Test(arguments: Way.allCases) func patternsAreFoundAndParametersDecoded(way: Way) async throws {
        let paths = [
            "/", "/v1/apps", "/v1/apps/import", "/v1/apps/7", "/v1/apps/import/devices/x",
            "/v1/apps/a%2Fb%20c/devices/%E5%BC%A0",
            "/v1/%61pps?x=y",
        ]
        try await ask(way, makeRouter(), paths.map { (.get, $0) }) { answers in
            #expect(
                answers.map(\.body) == [
                    "/ - -", "/v1/apps - -", "/v1/apps/import - -", "/v1/apps/{app} 7 -",
                    "/v1/apps/{app}/devices/{device} import x", "/v1/apps/{app}/devices/{device} a/b c 张",
                    "/v1/apps - -",
                ])
        }
    }

    @Test(arguments: Way.allCases) func unknownPathsAre404(way: Way) async throws {
        let paths = ["/v1", "/v1/apps/", "/v1/apps//devices/x", "/v2", "//", "/v1/apps/a/devices"]
        try await ask(way, makeRouter(), paths.map { (.get, $0) }) { answers in
            #expect(answers.allSatisfy { $0.status == 404 && $0.body.contains("\"code\":\"not_found\"") })
            #expect(answers.allSatisfy { $0.headers[.contentType] == "application/problem+json" })
        }
    }

    @Test(arguments: Way.allCases) func otherMethodsAre405AndOptionsListsThem(way: Way) async throws {
        try await ask(way, makeRouter(), [(.delete, "/v1/apps"), (.options, "/v1/apps"), (.head, "/v1/apps")]) {
            answers in
            #expect(answers.map(\.status) == [405, 204, 200])
            #expect(answers[0].headers[.allow] == "GET, POST, HEAD, OPTIONS")
            #expect(answers[1].headers[.allow] == "GET, POST, HEAD, OPTIONS")
        }
    }

    @Test(arguments: Way.allCases) func middlewareWrapsEverythingInOrder(way: Way) async throws {
        var router = makeRouter()
        router.add(Stamp(name: "a"))
        router.add(Stamp(name: "b"))
        try await ask(way, router, [(.get, "/who"), (.get, "/nothing"), (.get, "/secret")]) { answers in
            #expect(answers[0].body == "ab")
            #expect(answers.allSatisfy { $0.headers[.server] == "ba" })
            #expect(answers.map(\.status) == [200, 404, 500])
        }
    }

    @Test(arguments: Way.allCases) func unknownErrorsAreRenderedWithoutDetails(way: Way) async throws {
        try await ask(way, makeRouter(), [(.get, "/teapot"), (.get, "/secret")]) { answers in
            #expect(answers[0].status == 418 && answers[0].body == "teapot")
            #expect(answers[1].status == 500 && !answers[1].body.contains("secret"))
        }
    }

    @Test(arguments: Way.allCases) func queryItemsAreDecoded(way: Way) async throws {
        try await ask(way, makeRouter(), [(.get, "/query?a=1+%32&b&a=3&a"), (.get, "/query")]) { answers in
            #expect(answers.map(\.body) == ["1 2 3", "- 0"])
        }
    }

    @Test(arguments: Way.allCases) func errorRendererIsConfigurable(way: Way) async throws {
        let router = Router(logger: LiveServer.quiet) { error, _ in .text("mine: \(error.code)", status: error.status) }
        try await ask(way, router, [(.get, "/")]) { answers in #expect(answers[0].body == "mine: not_found") }
    }

    @Test func routesAreListed() {
        #expect(makeRouter().routes.prefix(2).map(\.pattern) == ["/", "/v1/apps"])
    }

    @Test func problemTextIsEscaped() {
        #expect(ProblemDocument.quoted("a\"\\\n\u{1}é") == "\"a\\\"\\\\\\n\\u0001é\"")
    }
}
