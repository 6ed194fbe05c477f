import Campaigns
import JSON
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

struct WebhookStoreTests {
    private static let url = "https://example.com/hook"

    private static func webhook(
        _ fixture: StoreFixture, _ app: AppRecord, _ kinds: [Webhook.EventKind] = Webhook.EventKind.allCases
    ) async throws -> WebhookRecord {
        try await fixture.stores.webhooks.create(.init(url: url, kinds: kinds), app: app.id).webhook
    }

    /// The bodies of all deliveries, in order, after gathering.
    private static func bodies(_ fixture: StoreFixture) async throws -> [JSON] {
        _ = try await fixture.stores.webhookQueue.gather()
        return try await fixture.pool.query("SELECT body FROM webhook_deliveries ORDER BY id").map {
            try JSON(parsing: Array(try $0[0, as: String.self].utf8))
        }
    }

    // MARK: Signatures

    /// The example of the Standard Webhooks libraries.
    @Test func signatureIsThatOfTheConvention() {
        let secret = WebhookSecret([
            49, 242, 144, 246, 191, 6, 41, 138, 171, 79, 8, 212, 60, 63, 8, 44, 246, 72, 163, 98, 218, 45, 164, 176,
        ])
        let signature = secret.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: #"{"test": 2432232314}"#)
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(secret.text == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        #expect("\(secret)" == "WebhookSecret(redacted)")
    }

    @Test func secretBeforeTheNewestSignsToo() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let webhook = try await Self.webhook(fixture, app)
            let (_, second) = try await fixture.stores.webhooks.rotate(webhook.id, app: app.id)
            let (rotated, third) = try await fixture.stores.webhooks.rotate(webhook.id, app: app.id)
            #expect(rotated.rotationEndsAt.map { $0 > .now } == true)

            _ = try await fixture.stores.webhookDeliveries.test(webhook.id, app: app.id)
            let claims = try await fixture.stores.webhookQueue.claim(busy: [:], room: 10, roomOfWebhook: 4)
            #expect(claims.map { $0.secrets.map(\.text) } == [[third, second]])

            try await fixture.pool.execute("UPDATE webhook_secrets SET expires_at = now() WHERE expires_at IS NOT NULL")
            try await fixture.pool.execute("UPDATE webhook_deliveries SET next_attempt_at = now()")
            let later = try await fixture.stores.webhookQueue.claim(busy: [:], room: 10, roomOfWebhook: 4)
            #expect(later.map { $0.secrets.map(\.text) } == [[third]])
        }
    }

    // MARK: Events

    @Test func nothingIsWrittenThatNoWebhookWants() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let run = try await fixture.key(fixture.run(of: campaign))
            let other = try await fixture.app("com.example.Other")
            _ = try await Self.webhook(fixture, other)
            _ = try await Self.webhook(fixture, app, [.runFinished])
            let disabled = try await Self.webhook(fixture, app)
            _ = try await fixture.stores.webhooks.update(
                disabled.id, app: app.id, to: .init(url: Self.url, kinds: [.runPaused], isEnabled: false))

            try await fixture.stores.runPauses.pause(run, because: "Enough.")
            #expect(try await fixture.stores.webhookQueue.gather() == 0)
        }
    }

    @Test func pausedRunIsToldWithItsReasonAndAppleAnswer() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.key(fixture.run(of: fixture.campaign(of: app, state: .sending)))
            _ = try await Self.webhook(fixture, app)

            for _ in 0..<2 {
                try await fixture.stores.runPauses.pause(
                    run, because: "The key is wrong.",
                    refusal: .init(reason: "InvalidProviderToken", environment: .production))
            }
            let bodies = try await Self.bodies(fixture)
            #expect(Set(bodies.compactMap { $0["type"]?.string }) == ["run.paused", "credential.refused"])
            #expect(bodies.count == 2)
            let refused = try #require(bodies.first { $0["type"] == "credential.refused" }?["data"])
            #expect(refused["run_id"]?.string == run.id.description)
            #expect(refused["campaign_name"] == "Sale")
            #expect(refused["apple_reason"] == "InvalidProviderToken")
            #expect(refused["reason"] == "The key is wrong.")
        }
    }

    @Test func runPausedByAPersonAndFinishedRunAreTold() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let run = try await fixture.run(of: campaign)
            _ = try await Self.webhook(fixture, app)
            _ = try await fixture.runs.transition(run, app: app.id, by: .pause)
            _ = try await fixture.runs.transition(run, app: app.id, by: .cancel)
            _ = try await fixture.stores.finishes.finish(fixture.key(run))

            let bodies = try await Self.bodies(fixture)
            #expect(bodies.compactMap { $0["type"]?.string } == ["run.paused", "run.finished"])
            #expect(bodies[0]["data"]?["reason"] == .null)
            #expect(bodies[1]["data"]?["state"] == "cancelled")
            #expect(bodies[1]["data"]?["targeted"] == 0)
        }
    }

    @Test func restoreQuestionIsToldOncePerApp() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            _ = try await Self.webhook(fixture, app, [.restoreQuestion])
            for _ in 0..<2 { _ = try await fixture.run(of: fixture.campaign(of: app, state: .sending)) }
            try await fixture.pool.execute("UPDATE runs SET generation = 1")
            _ = try await fixture.stores.runPauses.pauseRunsFromBeforeRestore()
            _ = try await fixture.stores.runPauses.pauseRunsFromBeforeRestore()

            let bodies = try await Self.bodies(fixture)
            #expect(bodies.count == 1)
            #expect(bodies.first?["data"]?["run_ids"]?.array?.count == 2)
        }
    }

    @Test func retiredDevicesShareAMessageWithoutTokens() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            _ = try await Self.webhook(fixture, app)
            try await fixture.pool.insertDevices(1...3, of: app.id)
            try await fixture.pool.execute(
                """
                UPDATE devices SET user_id = 'ada', token_registered_at = now() - interval '1 day',
                    token = decode('c0ffee', 'hex') || int8send(id)
                """)
            try await fixture.pool.execute("UPDATE device_activity SET last_seen_at = now() - interval '1 day'")
            let ids = try await fixture.pool.query("SELECT id FROM devices ORDER BY id").map {
                try $0[0, as: Int64.self]
            }
            let retired = try await fixture.stores.retiring.retire(
                ids.map { .init(device: $0, since: Timestamp.now.microseconds / 1_000, reason: .unregistered) },
                app: app.id)
            try #require(retired == 3)

            let bodies = try await Self.bodies(fixture)
            let devices = try #require(bodies.first?["data"]?["devices"]?.array)
            #expect(bodies.count == 1 && devices.count == 3)
            #expect(devices[0]["device_id"]?.string == ids[0].description)
            #expect(devices[0]["installation"] == "1")
            #expect(devices[0]["user_id"] == "ada")
            #expect(devices[0]["reason"] == "unregistered")
            #expect(!String(decoding: bodies[0].encoded(), as: UTF8.self).lowercased().contains("c0ffee"))
        }
    }

    @Test func repliesOfAGroupAreToldOnce() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            _ = try await Self.webhook(fixture, app)
            try await fixture.pool.insertDevices(1...2, of: app.id)
            let device: Int64 = try await fixture.pool.query("SELECT min(id) FROM devices")[0][0]
            let reply = Acknowledgement(
                index: 0, messageNumber: 1, device: Device.ID(rawValue: device), kind: .text, time: .receipt,
                details: EventDetails(action: "answer", text: "Yes \"please\" ☕️"))
            let opened = Acknowledgement(
                index: 1, messageNumber: 1, device: Device.ID(rawValue: device), kind: .opened, time: .receipt)
            for _ in 0..<2 {
                _ = try await fixture.stores.acknowledgements.store([
                    AcknowledgementRequest(app: app.id, events: [reply, opened])
                ])
            }

            let bodies = try await Self.bodies(fixture)
            #expect(bodies.count == 1)
            let replies = try #require(bodies.first?["data"]?["replies"]?.array)
            #expect(replies.count == 1)
            #expect(replies.first?["text"] == "Yes \"please\" ☕️")
            #expect(replies.first?["action"] == "answer")
            #expect(replies.first?["installation"] == "1")
            #expect(replies.first?["campaign_id"] == .null)
        }
    }

    @Test func itemsAreDividedByNumberAndBySize() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let webhook = try await Self.webhook(fixture, app)
            func add(_ count: Int, _ length: Int) async throws {
                try await fixture.pool.execute(
                    """
                    INSERT INTO webhook_events (app_id, kind, data)
                    SELECT \(app.id), 'replies.received', jsonb_build_object('text', repeat('x', \(Int32(length))))
                    FROM generate_series(1, \(count))
                    """)
            }
            func sizes() async throws -> [Int] {
                try await Self.bodies(fixture).map { $0["data"]?["replies"]?.array?.count ?? 0 }
            }
            try await add(2_500, 1)
            #expect(try await sizes() == [1_000, 1_000, 500])

            try await fixture.pool.execute("DELETE FROM webhook_deliveries")
            try await add(100, 8_000)
            let counts = try await sizes()
            #expect(counts.reduce(0, +) == 100)
            #expect(counts.allSatisfy { $0 <= Webhook.Delivery.maximumBytes / 8_000 + 1 })
            #expect(try await fixture.stores.webhooks.find(webhook.id, app: app.id).waiting == counts.count)
        }
    }

    // MARK: The queue

    @Test func deliveryIsClaimedByOneProcessUntilItsLeaseEnds() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let webhook = try await Self.webhook(fixture, app)
            let queue = fixture.stores.webhookQueue
            _ = try await fixture.stores.webhookDeliveries.test(webhook.id, app: app.id)

            let first = try #require(try await queue.claim(busy: [:], room: 10, roomOfWebhook: 4).first)
            #expect(try await queue.claim(busy: [:], room: 10, roomOfWebhook: 4).isEmpty)
            try await fixture.pool.execute("UPDATE webhook_deliveries SET next_attempt_at = now()")
            let second = try #require(try await queue.claim(busy: [:], room: 10, roomOfWebhook: 4).first)
            #expect(second.attempt == 2 && second.headerID == first.headerID)

            // The answer to the first attempt comes late: the second is still being made.
            _ = try await queue.record([.init(first, status: 500, error: "no", next: .givenUp)])
            #expect(try await Self.only(fixture, webhook).state == .waiting)
            _ = try await queue.record([.init(second, status: 204, error: nil, next: .delivered)])
            let delivery = try await Self.only(fixture, webhook)
            #expect(delivery.state == .delivered && delivery.status == 204)

            let resent = try await fixture.stores.webhookDeliveries.resend(
                delivery.id, of: webhook.id, app: app.id)
            #expect(resent.state == .waiting && resent.headerID == delivery.headerID)
        }
    }

    private static func only(_ fixture: StoreFixture, _ webhook: WebhookRecord) async throws -> WebhookDeliveryRecord {
        try await fixture.stores.webhookDeliveries.list(of: webhook.id, app: webhook.app, limit: 2)[0]
    }

    @Test func webhooksHaveRoomOfTheirOwn() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let webhooks = [try await Self.webhook(fixture, app), try await Self.webhook(fixture, app)]
            for _ in 0..<10 {
                for webhook in webhooks { _ = try await fixture.stores.webhookDeliveries.test(webhook.id, app: app.id) }
            }
            let queue = fixture.stores.webhookQueue
            let claims = try await queue.claim(busy: [webhooks[0].id: 3], room: 10, roomOfWebhook: 4)
            #expect(claims.filter { $0.webhook == webhooks[0].id }.count == 1)
            #expect(claims.filter { $0.webhook == webhooks[1].id }.count == 4)

            try await fixture.pool.execute(
                "UPDATE webhooks SET failures = \(Webhook.failingAfter), failing_since = now()")
            let failing = try await queue.claim(busy: [webhooks[0].id: 1], room: 10, roomOfWebhook: 4)
            #expect(failing.map(\.webhook) == [webhooks[1].id])
        }
    }

    @Test func webhookFailsAfterSomeAttemptsAndIsDisabledAfterThreeDays() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let webhook = try await Self.webhook(fixture, app)
            let (queue, store) = (fixture.stores.webhookQueue, fixture.stores.webhooks)
            _ = try await fixture.stores.webhookDeliveries.test(webhook.id, app: app.id)
            func fail() async throws -> WebhookRecord {
                try await fixture.pool.execute("UPDATE webhook_deliveries SET next_attempt_at = now()")
                let claim = try #require(try await queue.claim(busy: [:], room: 1, roomOfWebhook: 1).first)
                _ = try await queue.record([.init(claim, status: 500, error: "no", next: .retry(after: .zero))])
                return try await store.find(webhook.id, app: app.id)
            }
            for _ in 1..<Webhook.failingAfter { #expect(try await fail().failingSince == nil) }
            #expect(try await fail().failingSince != nil)

            try await fixture.pool.execute("UPDATE webhooks SET failing_since = now() - interval '73 hours'")
            let disabled = try await fail()
            #expect(disabled.disabledReason == .failing && disabled.disabledAt != nil)
            await #expect(throws: Refusal.webhookDisabled) {
                try await fixture.stores.webhookDeliveries.test(webhook.id, app: app.id)
            }

            let enabled = try await store.update(
                webhook.id, app: app.id, to: .init(url: Self.url, kinds: [.runPaused]))
            #expect(enabled.disabledAt == nil && enabled.disabledReason == nil && enabled.failingSince == nil)
            let claim = try #require(try await queue.claim(busy: [:], room: 1, roomOfWebhook: 1).first)
            let gone = try await queue.record([.init(claim, status: 410, error: "gone", next: .gone)])
            #expect(gone.map(\.webhook) == [webhook.id] && gone.map(\.reason) == ["gone"])
            #expect(try await store.find(webhook.id, app: app.id).disabledReason == .gone)
        }
    }

    @Test func webhookWithTooManyWaitingDeliveriesIsDisabled() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let webhook = try await Self.webhook(fixture, app)
            func add(_ count: Int) async throws {
                try await fixture.pool.execute(
                    """
                    INSERT INTO webhook_deliveries (app_id, webhook_id, kind, body)
                    SELECT \(app.id), \(webhook.id), 'run.paused', '{}' FROM generate_series(1, \(count))
                    """)
            }
            try await add(Webhook.maximumWaiting - 1)
            #expect(try await fixture.stores.webhookQueue.disableFull().isEmpty)
            try await add(1)
            #expect(try await fixture.stores.webhookQueue.disableFull().map(\.webhook) == [webhook.id])
            #expect(try await fixture.stores.webhooks.find(webhook.id, app: app.id).disabledReason == .full)
        }
    }

    @Test func deliveriesAreDeletedAfterAWeek() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let webhook = try await Self.webhook(fixture, app)
            let deliveries = fixture.stores.webhookDeliveries
            let old = try await deliveries.test(webhook.id, app: app.id)
            let recent = try await deliveries.test(webhook.id, app: app.id)
            try await fixture.pool.execute(
                """
                UPDATE webhook_deliveries SET created_at = now() - interval '1 hour'
                    - CASE WHEN id = \(old.id) THEN interval '7 days' ELSE interval '6 days' END
                """)
            #expect(try await fixture.stores.webhookQueue.deleteOld() == 1)
            #expect(try await deliveries.list(of: webhook.id, app: app.id, limit: 9).map(\.id) == [recent.id])
        }
    }

    @Test func logKeepsTheNewestDeliveriesAndAllThatWait() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let webhook = try await Self.webhook(fixture, app)
            func add(_ count: Int, _ next: PostgresQuery) async throws {
                try await fixture.pool.execute(
                    """
                    INSERT INTO webhook_deliveries (app_id, webhook_id, kind, body, next_attempt_at)
                    SELECT \(app.id), \(webhook.id), 'run.paused', '{}', \(next) FROM generate_series(1, \(count))
                    """)
            }
            try await add(10, "now()")
            try await add(Webhook.Delivery.maximumKept, "NULL")
            #expect(try await fixture.stores.webhookQueue.deleteOld() == 0)
            try await add(2, "NULL")
            #expect(try await fixture.stores.webhookQueue.deleteOld() == 2)
            #expect(try await fixture.stores.webhooks.find(webhook.id, app: app.id).waiting == 10)
        }
    }

    @Test func webhooksOfAnAppAreLimited() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            for _ in 0..<Webhook.maximumCount { _ = try await Self.webhook(fixture, app, [.runPaused]) }
            await #expect(throws: Refusal.tooMany(.webhook, limit: Webhook.maximumCount)) {
                _ = try await Self.webhook(fixture, app)
            }
        }
    }
}

extension JSON {
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var array: [JSON]? { if case .array(let values) = self { values } else { nil } }
}
