import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import API

@Suite struct RequestLimitTests {
    private static func send(
        _ api: APIFixture, _ path: String = "/v1/key", key: String
    ) async throws -> (Answer, limit: String?, policy: String?) {
        let answer = try await api.send(.get, path, key: key)
        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { answer.headers[$0] } }
        return (answer, field("RateLimit"), field("RateLimit-Policy"))
    }

    @Test func secretKeyIsToldWhatIsLeftAndRefusedBeyondIt() async throws {
        try await APIFixture.run(limits: RateLimits(perKey: 1, perAddress: 0)) { api in
            let burst = RateLimiter.window
            for used in 1...burst {
                let (answer, limit, policy) = try await Self.send(api, key: api.admin)
                #expect(answer.status == 200 && policy == "\"key\";q=\(burst);w=10")
                // A second can pass meanwhile.
                #expect(limit?.hasPrefix("\"key\";r=") == true)
                if used == 1 { #expect(limit == "\"key\";r=\(burst - 1);t=1") }
            }
            var refused = try await Self.send(api, key: api.admin)
            for _ in 0..<burst where refused.0.status == 200 { refused = try await Self.send(api, key: api.admin) }
            #expect(refused.0.status == 429 && refused.0.code == "rate-limited")
            #expect(refused.0.headers[.retryAfter] == "1" && refused.limit?.hasPrefix("\"key\";r=0;t=") == true)
            // Another key has its own limit.
            let other = try await api.keys.create(app: nil, kind: .secret, name: "other", scopes: [])
            #expect(try await Self.send(api, key: other.text).0.status == 200)
        }
    }

    @Test func phonesShareAKeyAndAreCountedByTheirNetworkOnly() async throws {
        try await APIFixture.run(limits: RateLimits(perKey: 1, perAddress: 2)) { api in
            let app = try #require(App.ID(try await api.app()))
            let phone = try await api.keys.create(app: app, kind: .publishable, name: "p", scopes: []).text
            var statuses: [Int] = []
            // One was used by adding the app.
            for _ in 0..<(2 * RateLimiter.window + 5) {
                let (answer, limit, _) = try await Self.send(api, key: phone)
                statuses.append(answer.status)
                #expect((limit != nil) == (answer.status == 429))
            }
            #expect(statuses.prefix(2 * RateLimiter.window - 1).allSatisfy { $0 == 200 })
            #expect(statuses.contains(429))
        }
    }

    @Test func withoutLimitsNothingIsCounted() async throws {
        try await APIFixture.run { api in
            for _ in 0..<30 {
                let (answer, limit, policy) = try await Self.send(api, key: api.admin)
                #expect(answer.status == 200 && limit == nil && policy == nil)
            }
        }
    }

    @Test func everyRefusalForTooMuchHasTheField() throws {
        let error = APIError.tooManyAttempts(retryAfter: .seconds(7))
        let fields = ErrorRendering(logger: CapturedLog().makeLogger()).response(to: error, nil).headers
        let name = try #require(HTTPField.Name("RateLimit"))
        #expect(fields[name] == "\"too-many-attempts\";r=0;t=7")
    }
}
