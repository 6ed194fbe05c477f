import BelfryTesting
import Foundation
import Testing

@testable import BelfryCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct TopicTests {
    private static let bodies = [
        "topics":
            #"{"data": [{"key": "offers", "name": "Offers"}, {"key": "news", "name": "N", "description": "Daily"}]}"#,
        "devices/phone-1": #"{"opt_outs": ["offers"], "person": {"opt_outs": ["*"]}}"#,
    ]

    @Test func switchesShowTheChoicesOfTheInstallationAndOfThePerson() async throws {
        try await ClientFixture.with(RecordingServer(Self.bodies)) { fixture in
            let topics = try #require(await fixture.client().topics(locale: "en"))
            #expect(topics.map(\.key) == ["offers", "news"] && topics.map(\.isOptedOut) == [true, false])
            #expect(topics.last?.details == "Daily")
        }
    }

    @Test func personWhoUnsubscribedElsewhereSeesTheSwitchForAllCampaigns() async throws {
        try await ClientFixture.with(RecordingServer(Self.bodies)) { fixture in
            let topics = try #require(await fixture.client().topics(locale: "en", all: "Everything"))
            #expect(topics.map(\.name) == ["Everything", "Offers", "N"])
            #expect(topics.first?.key == Topic.all && topics.first?.isOptedOut == true)
        }
    }

    @Test func choicesOfThePersonAreReadWithTheirSignature() async throws {
        struct Server: Transport {
            let signatures = Guarded<[String?]>([])

            func send(_ request: URLRequest) async -> TransportResult {
                if request.httpMethod == "GET" {
                    let signature = request.value(forHTTPHeaderField: "User-ID-Signature")
                    signatures.withLock { $0.append(signature) }
                }
                return .ok(#"{"data": []}"#)
            }
        }
        try await ClientFixture.with { fixture in
            let server = Server()
            let client = Client(
                configuration: try fixture.client().configuration, folder: fixture.folder,
                installations: fixture.keychain, transport: server, clock: fixture.clock)
            await client.logIn(User(id: "ada", signature: "abc"))
            _ = await client.topics(locale: "en")
            #expect(server.signatures.withLock { $0 } == [nil, "abc"])
        }
    }

    @Test func withoutANetworkThereAreNoSwitches() async throws {
        try await ClientFixture.with(RecordingServer { _, _ in .failed("offline") }) { fixture in
            let topics = try await fixture.client().topics(locale: "en", all: "Everything")
            #expect(topics == nil)
        }
    }
}
