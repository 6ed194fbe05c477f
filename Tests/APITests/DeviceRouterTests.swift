import HTTPServer
import HTTPTypes
import Postgres
import Testing

@testable import API

/// The listener for devices has what apps call, and nothing else of any group.
@Suite struct DeviceRouterTests {
    private static let expected: Set = [
        "GET /healthz", "GET /media/{capability}/{name}",
        "PUT /v1/apps/{app}/devices/{installation}", "PATCH /v1/apps/{app}/devices/{installation}",
        "GET /v1/apps/{app}/devices/{installation}", "DELETE /v1/apps/{app}/devices/{installation}",
        "POST /v1/apps/{app}/devices/{installation}/logout", "POST /v1/apps/{app}/devices/{installation}/local-events",
        "POST /v1/apps/{app}/acknowledgements", "POST /v1/apps/{app}/custom-events",
        "GET /v1/apps/{app}/client-configuration",
        "GET /v1/apps/{app}/categories/registration", "GET /v1/apps/{app}/local-plans/scheduled",
        "GET /v1/apps/{app}/topics", "GET /v1/apps/{app}/topics/{topic}",
    ]

    /// A path of the pattern, with a number for each parameter.
    private static func path(_ pattern: String) -> String {
        pattern.split(separator: "/", omittingEmptySubsequences: false).map { $0.hasPrefix("{") ? "1" : String($0) }
            .joined(separator: "/")
    }

    @Test func routesOfEachGroupAreThereOnlyIfAppsCallThem() async throws {
        try await APIFixture.run { api in
            #expect(Set(api.declared.filter(\.isForDevices).map(\.name)) == Self.expected)
            let routes = api.deviceRouter.routes.filter { $0.method != .options }
            #expect(Set(routes.map { "\($0.method) \($0.pattern)" }) == Self.expected)
            for route in api.declared {
                let request = try Request(
                    route.method, Self.path(route.pattern), headers: [:], body: [], on: api.pool.loop)
                let answer = await api.deviceRouter.respond(to: request)
                let status = answer.status.code
                if route.name == "GET /healthz" {
                    #expect(status == 200)
                } else if route.access != nil, route.isForDevices {
                    #expect(status == 401, "\(route.name)")
                } else if !route.isForDevices {
                    // Another method of a path for devices is 405. To a path like /devices/{installation}, "export" is a device.
                    #expect([401, 404, 405].contains(status), "\(route.name)")
                    #expect(answer.headers[.contentType] == "application/problem+json", "\(route.name)")
                }
            }
        }
    }

    @Test func pagesAndUnknownPathsAreNotFound() async throws {
        try await APIFixture.run { api in
            for path in ["/", "/index.html", "/readyz", "/openapi.json", "/v1/status", "/v1/session", "/metrics"] {
                let request = try Request(.get, path, headers: [:], body: [], on: api.pool.loop)
                let answer = await api.deviceRouter.respond(to: request)
                #expect(answer.status == .notFound, "\(path)")
                #expect(answer.headers[.contentType] == "application/problem+json", "\(path)")
            }
        }
    }
}
