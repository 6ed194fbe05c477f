import HTTPServer
import HTTPTypes
import Testing

@testable import API

@Suite struct CrossOriginTests {
    private static let origin: HTTPFields = [.origin: "capacitor://localhost"]

    @Test func onlyRoutesOfPublishableKeysAreOpenToOtherOrigins() async throws {
        try await APIFixture.run { api in
            var open = 0
            for route in api.declared {
                let path = route.pattern.replacing(/\{\w+\}/, with: "1")
                let isForApps = route.isForApps
                let preflight = try await api.send(.options, path, key: .some(nil), headers: Self.origin)
                let methods = preflight.headers[.accessControlAllowMethods]?.split(separator: ", ").map(String.init)
                #expect(preflight.status == 204, "\(route.name)")
                #expect((methods ?? []).contains(route.method.rawValue) == isForApps, "\(route.name)")
                // Refusals can be read, too: this request has no key.
                let answer = try await api.send(route.method, path, key: .some(nil), headers: Self.origin)
                #expect((answer.headers[.accessControlAllowOrigin] == "*") == isForApps, "\(route.name)")
                #expect(answer.headers[.accessControlAllowCredentials] == nil)
                if isForApps { open += 1 }
            }
            #expect(open == 13)
        }
    }

    @Test func preflightNamesWhatAnAppSends() async throws {
        try await APIFixture.run(.live) { api in
            let app = try await api.app()
            let answer = try await api.send(
                .options, "/v1/apps/\(app)/devices/abc", key: .some(nil),
                headers: [
                    .origin: "capacitor://localhost", .accessControlRequestMethod: "PUT",
                    .accessControlRequestHeaders: "authorization,content-type",
                ])
            #expect(answer.status == 204 && answer.body.isEmpty)
            #expect(answer.headers[.accessControlAllowOrigin] == "*")
            #expect(answer.headers[.accessControlAllowMethods]?.contains("PUT") == true)
            #expect(answer.headers[.accessControlAllowHeaders]?.hasPrefix("Authorization, Content-Type") == true)
        }
    }
}
