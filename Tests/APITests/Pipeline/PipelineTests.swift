import HTTPServer
import HTTPTypes
import TestSupport
import Testing

@testable import API

@Suite struct PipelineTests {
    /// Outermost first, for routes of each kind.
    private static let orders = [
        ("GET /healthz", "ErrorAnswers"),
        ("POST /v1/session", "ErrorAnswers RequestLimit KnownQuery"),
        (
            "GET /v1/apps/{app}",
            "ErrorAnswers RequestLimit | CallerLimit ErrorAnswers Allowed KnownQuery Caching Conditional"
        ),
        (
            "GET /v1/apps/{app}/topics",
            "CrossOrigin ErrorAnswers RequestLimit | CallerLimit ErrorAnswers Allowed KnownQuery Caching Conditional"
        ),
        (
            "PUT /v1/apps/{app}/devices/{installation}",
            "CrossOrigin ErrorAnswers RequestLimit | CallerLimit ErrorAnswers Allowed KnownQuery Audited"
        ),
        (
            "POST /v1/apps/{app}/campaigns",
            "ErrorAnswers RequestLimit | CallerLimit ErrorAnswers Allowed KnownQuery Idempotent Audited"
        ),
        (
            "POST /v1/apps/{app}/audiences/count",
            "ErrorAnswers RequestLimit | CallerLimit ErrorAnswers Allowed KnownQuery"
        ),
    ]

    @Test func layersFollowFromTheDeclaration() async throws {
        try await APIFixture.run { api in
            for (name, layers) in Self.orders {
                let route = try #require(api.declared.first { $0.name == name })
                #expect(Self.names(route, api.pipeline) == layers, "\(name)")
            }
        }
    }

    private static func names(_ route: Route, _ pipeline: Pipeline) -> String {
        let outer = pipeline.outerLayers(of: route).map { name($0) }
        guard route.access != nil else { return outer.joined(separator: " ") }
        let inner = pipeline.innerLayers(of: route, readers: [:]).map { name($0) }
        return (outer + ["|"] + inner).joined(separator: " ")
    }

    private static func name(_ layer: Any) -> String {
        String("\(type(of: layer))".prefix { $0 != "<" })
    }

    /// The first layer is asked first, and sees the response last.
    @Test func layersLieAroundTheHandler() async throws {
        struct Noting: RequestLayer {
            let name: String

            func around(_ next: @escaping RequestHandler) -> RequestHandler {
                { request in
                    var response = try await next(request)
                    response.headers[.via] = (response.headers[.via] ?? "") + name
                    return response
                }
            }
        }
        try await TestLoop.run { loop in
            let layers: [any RequestLayer] = [Noting(name: "a"), Noting(name: "b"), Noting(name: "c")]
            let handler: RequestHandler = layers.around { _ in Response(headers: [.via: "handler"]) }
            let response = try await handler(Request(.get, "/", on: loop))
            #expect(response.headers[.via] == "handlercba")
        }
    }
}
