import Campaigns
import Crypto
import EventLoop
import Foundation
import HTTPServer
import HTTPTypes
import JSON
import Logging
import MetricsTestKit
import Postgres
import ServiceLifecycle
import Store
import TestSupport
import Testing

@testable import Dispatcher

/// The service against a receiver on this machine.
struct WebhookServiceTests {
    private struct Message: Sendable {
        let id: String
        let timestamp: String
        let signatures: String
        let body: String
    }

    /// A receiver that answers with the statuses of the path: /503/200 first with 503, then with 200. Everything that
    /// comes later gets the last status.
    private final class Receiver: Sendable {
        let messages: AsyncStream<Message>
        private let arrival: AsyncStream<Message>.Continuation
        private let count = Lock(0)
        let server: HTTPServer

        init(loops: EventLoopGroup) throws {
            (messages, arrival) = AsyncStream.makeStream()
            let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            var router = Router(logger: quiet)
            let (arrival, count) = (arrival, count)
            let answer: RequestHandler = { request in
                let body = String(decoding: try await request.body.collect(), as: UTF8.self)
                func field(_ name: String) -> String { HTTPField.Name(name).flatMap { request.headers[$0] } ?? "" }
                arrival.yield(
                    Message(
                        id: field("webhook-id"), timestamp: field("webhook-timestamp"),
                        signatures: field("webhook-signature"), body: body))
                let statuses = request.path.split(separator: "/").compactMap { Int($0) }
                let index = count.withLock { count in
                    count += 1
                    return count - 1
                }
                return Response(
                    status: .init(code: statuses[min(index, statuses.count - 1)]), headers: [.location: "/200"],
                    body: .bytes([UInt8](repeating: 0x78, count: 100_000)))
            }
            router.add(.post, "/{first}", answer)
            router.add(.post, "/{first}/{second}", answer)
            let address = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
            server = try HTTPServer(
                configuration: ServerConfiguration(address: address), router: router, loops: loops, logger: quiet)
        }

        func url(_ statuses: String) -> String { "http://127.0.0.1:\(server.address.port ?? 0)\(statuses)" }
    }

    private struct Fixture {
        let dispatcher: DispatcherFixture
        let receiver: Receiver
        let metrics: TestMetrics

        func webhook(_ url: String, _ kinds: [Webhook.EventKind] = [.runPaused]) async throws -> (
            webhook: WebhookRecord, secret: String
        ) {
            try await dispatcher.stores.webhooks.create(.init(url: url, kinds: kinds), app: dispatcher.app)
        }

        func test(_ webhook: WebhookRecord) async throws {
            _ = try await dispatcher.stores.webhookDeliveries.test(webhook.id, app: dispatcher.app)
        }

        /// The newest delivery; nil before its event is gathered.
        func delivery(of webhook: WebhookRecord) async throws -> WebhookDeliveryRecord? {
            try await dispatcher.stores.webhookDeliveries.list(of: webhook.id, app: dispatcher.app, limit: 1).first
        }

        /// Waits until the newest delivery was answered.
        func answered(_ webhook: WebhookRecord) async throws -> WebhookDeliveryRecord {
            try await dispatcher.until {
                let delivery = try await delivery(of: webhook)
                return delivery?.deliveredAt != nil || delivery?.error != nil
            }
            return try #require(try await delivery(of: webhook))
        }
    }

    private static func run(
        allowsPrivate: Bool = true, _ body: @escaping @Sendable (Fixture) async throws -> Void
    ) async throws {
        try await DispatcherFixture.run { dispatcher in
            let loops = try EventLoopGroup(count: 2, name: "webhook-test")
            defer { loops.stop() }
            let receiver = try Receiver(loops: loops)
            let loop = loops.loops[1]
            let pool = PostgresPool(
                dispatcher.configuration, limits: .init(connections: 2), on: loop, logger: dispatcher.logger)
            let metrics = TestMetrics()
            let service = WebhookService(
                queue: Stores(pool: pool, sealingKeys: dispatcher.sealingKeys).webhookQueue,
                network: WebhookNetwork(allowsPrivate: allowsPrivate) { address in
                    address.host.hasPrefix("127.") ? "127.0.0.0/8, this machine" : nil
                },
                loop: loop, logger: dispatcher.logger, metrics: metrics)
            let group = ServiceGroup(
                configuration: .init(services: [.init(service: service)], logger: dispatcher.logger))
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await receiver.server.run() }
                tasks.addTask { try await group.run() }
                // Also after a failure: the tasks end then, too.
                defer { receiver.server.shutDown() }
                try await body(Fixture(dispatcher: dispatcher, receiver: receiver, metrics: metrics))
                await group.triggerGracefulShutdown()
            }
            await pool.close()
        }
    }

    @Test func eventArrivesSignedAndIsRecordedAsDelivered() async throws {
        try await Self.run { fixture in
            let (webhook, secret) = try await fixture.webhook(fixture.receiver.url("/204"))
            try await fixture.dispatcher.addDevices(1...3)
            _ = try await fixture.dispatcher.plannedRun()
            let run = try await fixture.dispatcher.pool.query("SELECT id FROM runs")[0][0, as: Run.ID.self]
            try await fixture.dispatcher.stores.runPauses.pause(
                Run.Key(app: fixture.dispatcher.app, id: run), because: "Enough.")

            let message = try #require(await fixture.receiver.messages.first { _ in true })
            let key = try Base64URL.decode(secret.dropFirst("whsec_".count), tolerating: .lenient)
            let tag = HMACSHA256.authenticate(
                Array("\(message.id).\(message.timestamp).\(message.body)".utf8), key: key)
            #expect(message.signatures == "v1,\(Data(tag).base64EncodedString())")
            let seconds = try #require(Int(message.timestamp))
            #expect(abs(seconds - Int(Date().timeIntervalSince1970)) < 300)
            let body = try JSON(parsing: Array(message.body.utf8))
            #expect(body["type"] == "run.paused")
            #expect(body["data"]?["reason"] == "Enough.")

            let delivery = try await fixture.answered(webhook)
            #expect(delivery.state == .delivered && delivery.status == 204 && delivery.attempts == 1)
            #expect(delivery.headerID == message.id)
        }
    }

    @Test func failedAttemptIsRepeatedWithTheSameIDAndBody() async throws {
        try await Self.run { fixture in
            let (webhook, _) = try await fixture.webhook(fixture.receiver.url("/503/200"))
            let app = fixture.dispatcher.app
            try await fixture.dispatcher.pool.execute(
                "INSERT INTO webhook_events (app_id, kind, data) VALUES (\(app), 'run.paused', '{}')")
            let failed = try await fixture.answered(webhook)
            #expect(failed.state == .waiting && failed.status == 503)
            #expect(failed.error == "The receiver answered with status 503.")
            let pause = try #require(failed.nextAttemptAt) - Timestamp.now
            #expect(pause < .seconds(6))

            try await fixture.dispatcher.pool.execute("UPDATE webhook_deliveries SET next_attempt_at = now()")
            try await fixture.dispatcher.until { try await fixture.delivery(of: webhook)?.state == .delivered }
            var messages = fixture.receiver.messages.makeAsyncIterator()
            let (first, second) = (await messages.next(), await messages.next())
            #expect(first?.id == second?.id && first?.body == second?.body)
            for (result, count) in [("retry", 1), ("delivered", 1), ("given-up", 0)] as [(String, Int64)] {
                #expect(fixture.metrics.total("belfry_webhook_attempts", [("result", result)]) == count)
            }
            let times = try fixture.metrics.expectTimer("belfry_webhook_attempt_duration_seconds").values
            #expect(times.count == 2 && times.allSatisfy { $0 > 0 })
        }
    }

    @Test func redirectIsNotFollowed() async throws {
        try await Self.run { fixture in
            let (webhook, _) = try await fixture.webhook(fixture.receiver.url("/302/200"))
            try await fixture.test(webhook)
            let delivery = try await fixture.answered(webhook)
            #expect(delivery.state == .failed && delivery.status == 302)
        }
    }

    @Test func addressThatIsNotPublicIsNotConnectedTo() async throws {
        try await Self.run(allowsPrivate: false) { fixture in
            let port = fixture.receiver.server.address.port ?? 0
            for (url, reason) in [
                ("https://127.0.0.1:\(port)/200", "is not public"), ("https://localhost:\(port)/200", "is not public"),
                ("http://127.0.0.1:\(port)/200", "must begin with https://"),
            ] {
                let (webhook, _) = try await fixture.webhook(url)
                try await fixture.test(webhook)
                let delivery = try await fixture.answered(webhook)
                #expect(delivery.state == .failed && delivery.status == nil)
                #expect(delivery.error?.contains(reason) == true, "\(delivery.error ?? "")")
            }
        }
    }

    @Test func receiverThatIsAwayDelaysNoOther() async throws {
        try await Self.run { fixture in
            let silent = try await SilentListener(on: fixture.dispatcher.pool.loop)
            defer { silent.close() }
            let (away, _) = try await fixture.webhook("http://127.0.0.1:\(silent.address.port ?? 0)/")
            let (webhook, _) = try await fixture.webhook(fixture.receiver.url("/200"))
            for _ in 0..<10 { try await fixture.test(away) }
            try await fixture.test(webhook)
            #expect(try await fixture.answered(webhook).state == .delivered)
            #expect(try await fixture.delivery(of: away)?.state == .waiting)
        }
    }

    @Test func answerOf410DisablesTheWebhook() async throws {
        try await Self.run { fixture in
            let (webhook, _) = try await fixture.webhook(fixture.receiver.url("/410"))
            try await fixture.test(webhook)
            #expect(try await fixture.answered(webhook).state == .failed)
            let stored = try await fixture.dispatcher.stores.webhooks.find(webhook.id, app: webhook.app)
            #expect(stored.disabledReason == .gone)
        }
    }
}
