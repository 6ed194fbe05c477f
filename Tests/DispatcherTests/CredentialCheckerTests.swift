import APNS
import APNSSimulator
import Campaigns
import Crypto
import Dispatcher
import EventLoop
import JSON
import Notifications
import Store
import TLS
import Testing

extension DispatcherSuite {
    /// The words for a person who adds a key, before it is stored.
    @Suite struct CredentialCheckerTests {
        private static func findings(
            _ bench: DispatcherFixture, key: SigningKey? = nil, keyID: String = DispatcherFixture.keyID,
            teamID: String = DispatcherFixture.teamID, bundleID: String = DispatcherFixture.bundleID,
            port: UInt16? = nil, environments: Set<PushEnvironment> = [.production, .development]
        ) async throws -> [CredentialFinding] {
            let loop = try EventLoop(name: "tests")
            defer { loop.stop() }
            func endpoint(_ server: SimulatorServer) throws -> APNSEndpoint {
                let own = try server.port ?? 0
                return APNSEndpoint(host: "localhost", port: port ?? own, trust: .pem(server.certificatePEM))
            }
            let checker = APNSCredentialChecker(
                endpoints: APNSEndpoints(
                    production: try endpoint(bench.production), development: try endpoint(bench.sandbox)),
                options: DispatcherFixture.options.apns, loop: loop, logger: bench.logger)
            let draft = CredentialDraft(
                keyID: try KeyID(keyID), teamID: try TeamID(teamID), key: key ?? bench.key, environments: environments)
            let bundleID = try BundleID(bundleID)
            return await withTaskExecutorPreference(loop) { await checker.check(draft, for: bundleID) }
        }

        @Test func validKeyIsAcceptedInBothEnvironmentsAndNoDeviceGetsAnything() async throws {
            try await DispatcherFixture.run(credential: false) { bench in
                let findings = try await Self.findings(bench)

                #expect(findings.map(\.environment) == [.production, .development])
                #expect(findings.map(\.outcome) == [.accepted, .accepted])
                #expect(findings[0].meaning == "The key is valid, and it may send pushes for com.example.Bell.")
                #expect(findings[0].reason == nil && findings[0].remedy == nil)
                #expect(bench.record.counts.accepted == 0)
                #expect(try await bench.credentials.list(app: bench.app, before: nil, limit: 1).isEmpty)
            }
        }

        @Test func reasonsOfAppleAreExplained() async throws {
            try await DispatcherFixture.run(credential: false) { bench in
                let other = try await Self.findings(bench, key: try SigningKey.generate(), environments: [.production])
                #expect(other.map(\.outcome) == [.rejected])
                #expect(other[0].status == 403 && other[0].reason == "InvalidProviderToken")
                #expect(other[0].remedy?.description.contains("key id, team id and .p8 file belong together") == true)

                let team = try await Self.findings(bench, teamID: "TEAM654321", environments: [.development])
                #expect(team.map(\.reason) == ["InvalidProviderToken"])

                let topic = try await Self.findings(bench, bundleID: "com.example.other", environments: [.production])
                #expect(topic.map(\.outcome) == [.rejected])
                #expect(topic.map(\.reason) == ["TopicDisallowed"])
                #expect(topic[0].meaning == "The key may not send pushes for this bundle id.")
            }
        }

        @Test func keyOfOneEnvironmentIsRejectedInTheOther() async throws {
            let key = try SigningKey.generate()
            try await DispatcherFixture.run(
                credential: false,
                { apple in
                    apple.keys = [
                        ProviderKey(
                            keyID: DispatcherFixture.keyID, teamID: DispatcherFixture.teamID, publicKey: key.publicKey,
                            bundleIDs: [DispatcherFixture.bundleID], environments: [.production])
                    ]
                }
            ) { bench in
                let findings = try await Self.findings(bench, key: key)
                #expect(findings.map(\.outcome) == [.accepted, .rejected])
                #expect(findings[1].reason?.description.hasPrefix("BadEnvironmentKey") == true)
                #expect(findings[1].meaning == "The key is not for this environment or app.")
            }
        }

        @Test func unreachableHostSaysNothingAboutTheKey() async throws {
            try await DispatcherFixture.run(credential: false) { bench in
                let findings = try await Self.findings(bench, port: 1, environments: [.production])
                #expect(findings.map(\.outcome) == [.unknown])
                #expect(findings[0].meaning.description.hasPrefix("Connecting to localhost failed"))
                #expect(findings[0].remedy == "Check that this server can reach that host.")

                // The simulator injects this fault only into answers to pushes that it would accept.
                bench.phones.add(
                    token: [UInt8](repeating: 0, count: 32), environment: .production, topic: DispatcherFixture.bundleID
                )
                bench.production.faults = Faults([
                    .init(.answer(APNSRejection(status: 503, reason: "ServiceUnavailable")), .rate(1))
                ])
                let busy = try await Self.findings(bench, environments: [.production])
                #expect(busy.map(\.outcome) == [.unknown])
                #expect(busy.map(\.reason) == ["ServiceUnavailable"])
            }
        }
    }
}
