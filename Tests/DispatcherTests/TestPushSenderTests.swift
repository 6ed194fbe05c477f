import APNS
import APNSSimulator
import Campaigns
import Crypto
import Dispatcher
import EventLoop
import JSON
import Notifications
import Postgres
import Store
import TLS
import Testing

extension DispatcherSuite {
    /// The answers to somebody who tries a push out.
    @Suite struct TestPushSenderTests {
        private static let options: PushOptions = {
            guard let bundleID = try? BundleID(DispatcherFixture.bundleID) else { preconditionFailure("no bundle id") }
            return PushOptions(
                bundleID: bundleID, pushType: .alert, priority: .immediate, expiration: 0, collapseID: nil)
        }()

        private static func push(_ number: Int, _ environment: PushEnvironment = .production) throws -> TestPush {
            TestPush(
                token: try DeviceToken(bytes: DispatcherFixture.token(number)), environment: environment,
                id: MessageID(messageNumber: 7, device: Int64(number), tag: 0),
                payload: Array(#"{"aps":{"alert":"Ding"}}"#.utf8))
        }

        private static func withSender(
            _ bench: DispatcherFixture, port: UInt16? = nil, _ body: (TestPushSender) async throws -> Void
        ) async throws {
            let loop = try EventLoop(name: "tests")
            defer { loop.stop() }
            let pool = PostgresPool(bench.configuration, limits: .init(connections: 2), on: loop, logger: bench.logger)
            func endpoint(_ server: SimulatorServer) throws -> APNSEndpoint {
                let own = try server.port ?? 0
                return APNSEndpoint(host: "localhost", port: port ?? own, trust: .pem(server.certificatePEM))
            }
            let sender = TestPushSender(
                stores: Stores(pool: pool, sealingKeys: bench.sealingKeys),
                endpoints: APNSEndpoints(
                    production: try endpoint(bench.production), development: try endpoint(bench.sandbox)),
                options: DispatcherFixture.options.apns, loop: loop, logger: bench.logger)
            try await withTaskExecutorPreference(loop) {
                try await body(sender)
                await sender.shutDown()
                await pool.close()
            }
        }

        @Test func answersComeInTheOrderOfThePushes() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.addDevices(2...2, .development)
                try await Self.withSender(bench) { sender in
                    let answers = try await sender.send(
                        [Self.push(2, .development), Self.push(1), Self.push(3)], of: bench.app, Self.options)

                    #expect(answers.map(\.state) == [.accepted, .accepted, .rejected])
                    #expect(answers.map(\.status) == [200, 200, 400])
                    // Apple's key for its delivery log comes from the development environment only.
                    #expect(answers[0].uniqueID != nil)
                    #expect(answers[1].uniqueID == nil)
                    #expect(answers[2].reason == "BadDeviceToken")
                    #expect(answers[2].meaning == "The token does not belong to this environment.")
                    #expect(answers[2].remedy?.description.contains("Xcode") == true)
                    #expect(bench.accepted(1) == 1 && bench.accepted(2) == 1)
                }
            }
        }

        @Test func reasonsForUnsentPushesAreReported() async throws {
            try await DispatcherFixture.run(credential: false) { bench in
                try await Self.withSender(bench) { sender in
                    let answers = try await sender.send([Self.push(1)], of: bench.app, Self.options)
                    #expect(answers.map(\.state) == [.notSent])
                    #expect(answers[0].meaning.description.contains("no APNs key (.p8) for the production environment"))
                }
                let strange = CredentialStore(
                    pool: bench.pool, sealingKeys: try SealingKeyRing(text: String(repeating: "ab", count: 32)))
                let sealed = try await strange.create(
                    app: bench.app, keyID: .init(DispatcherFixture.keyID), teamID: .init(DispatcherFixture.teamID),
                    key: bench.key, environments: [.production])
                try await Self.withSender(bench) { sender in
                    let answers = try await sender.send([Self.push(1)], of: bench.app, Self.options)
                    #expect(answers.map(\.state) == [.notSent])
                    #expect(
                        answers[0].meaning.description.contains("key for the production environment can't be decrypted")
                    )
                    #expect(answers[0].remedy?.description.contains("sealing key") == true)
                }
                try await bench.credentials.delete(sealed.id, app: bench.app)
                try await bench.addCredential(to: bench.app)
                try await Self.withSender(bench, port: 1) { sender in
                    let answers = try await sender.send([Self.push(1)], of: bench.app, Self.options)
                    #expect(answers.map(\.state) == [.notSent])
                    #expect(answers[0].meaning.description.hasPrefix("Connecting to localhost failed"))
                }
            }
        }
    }
}
