import APNSSimulator
import Campaigns
import Crypto
import HTTP2
import MetricsTestKit
import Notifications
import Postgres
import Store
import TestSupport
import Testing

extension DispatcherSuite {
    /// Neither logs nor metrics contain tokens or what is known about people, whatever Apple answers.
    @Suite struct CanaryTests {
        @Test func failuresOfApplePutNoTokenIntoLogsOrMetrics() async throws {
            let log = CapturedLog()
            let metrics = TestMetrics()
            let canaries = try (1...8).map { _ in try Canaries() }
            try await DispatcherFixture.run(logger: log.makeLogger()) { bench in
                let tokens = try canaries.map { try Hex.decode($0.token) }
                for (canary, token) in zip(canaries, tokens) {
                    bench.phones.add(token: token, environment: .production, topic: DispatcherFixture.bundleID)
                    try await bench.pool.insertDevice(
                        canary.installation, of: bench.app,
                        [
                            "token": "\(token)", "user_id": "\(canary.userID)",
                            "attributes": "jsonb_build_object('name', \(canary.attribute))",
                        ])
                }
                bench.production.faults = Faults([
                    .init(.refuseConnection, .first(1)),
                    .init(.answer(.badDeviceToken), for: .tokens([tokens[0]])),
                    .init(.answer(.unregistered(since: 1)), for: .tokens([tokens[1]])),
                    .init(.reset(.internalError, accepted: false), .first(2), for: .tokens([tokens[2]])),
                    .init(.disconnect(accepted: false), .first(1), for: .tokens([tokens[3]])),
                    .init(.answerText(status: 418, body: "?"), for: .tokens([tokens[4]])),
                ])
                let template = try await bench.stores.templates.create(
                    app: bench.app, name: "Hello", content: #"{"payload":{"aps":{"alert":"Hello {{ name }}"}}}"#)
                _ = try await bench.campaign {
                    $0.setBody(.template(TemplateReference(id: template.id, version: template.version)))
                }

                try await bench.work(metrics: metrics)

                // Not a vacuous search: Apple has seen every token, and the log has lines of the sender.
                #expect(tokens.allSatisfy { bench.record.token($0).requests > 0 })
            }
            #expect(log.text.contains("connection to APNs"))
            for canary in canaries {
                #expect(canary.found(in: log.text) == [])
                #expect(canary.found(in: Self.labels(of: metrics)) == [])
            }
            #expect(Self.labels(of: metrics).contains("belfry_push_outcomes"))
        }

        private static func labels(of metrics: TestMetrics) -> String {
            let all =
                metrics.counters.map { ($0.label, $0.dimensions) } + metrics.meters.map { ($0.label, $0.dimensions) }
                + metrics.timers.map { ($0.label, $0.dimensions) } + metrics.recorders.map { ($0.label, $0.dimensions) }
            return all.map { "\($0.0) \($0.1)" }.joined(separator: "\n")
        }
    }
}
