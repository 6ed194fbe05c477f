import Campaigns
import JSON
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

struct WebhookErasureTests {
    /// An app with a webhook, and a device of each user.
    private struct Receiver {
        let fixture: StoreFixture
        let app: App.ID
        var devices: [String: Device.ID] = [:]

        init(_ fixture: StoreFixture, _ users: [String]) async throws {
            self.fixture = fixture
            app = try await fixture.app().id
            _ = try await fixture.stores.webhooks.create(
                .init(url: "https://example.com/hook", kinds: Webhook.EventKind.allCases), app: app)
            for (index, user) in users.enumerated() {
                devices[user] = try await logIn(user, on: user, token: "0\(index + 1)")
            }
        }

        func logIn(_ user: String, on installation: String, token: String) async throws -> Device.ID {
            let made = try await fixture.stores.registrations.store([
                Registration.make(installation, token: token, app: app) { $0.userID = .value(user) }
            ])
            return try #require(made[0].id)
        }

        /// Replies to one message, stored in one transaction.
        func reply(_ texts: KeyValuePairs<String, String>, to number: Int64 = 1, action: String = "a") async throws {
            let replies = try texts.map { user, text in
                Acknowledgement(
                    index: 0, messageNumber: number, device: try #require(devices[user]), kind: .text, time: .receipt,
                    details: EventDetails(action: action, text: text))
            }
            _ = try await fixture.stores.acknowledgements.store([AcknowledgementRequest(app: app, events: replies)])
        }

        func gather() async throws { _ = try await fixture.stores.webhookQueue.gather() }

        /// The texts of each message.
        func texts() async throws -> [[String]] {
            try await fixture.pool.query("SELECT body FROM webhook_deliveries ORDER BY id").map { row in
                let body = try JSON(parsing: Array(try row[0, as: String.self].utf8))
                guard case .array(let items)? = body["data"]?["replies"] else { return [] }
                return items.map { item in
                    guard case .string(let text)? = item["text"] else { return "" }
                    return text
                }
            }
        }
    }

    @Test func erasedPersonLeavesTheMessagesThatWaitAndThoseInTheLog() async throws {
        try await StoreFixture.run { fixture in
            let receiver = try await Receiver(fixture, ["anna", "ben"])
            try await receiver.reply(["anna": "from anna", "ben": "from ben"])
            try await receiver.gather()
            try await receiver.reply(["anna": "again"], to: 2)
            try await receiver.gather()
            try await fixture.pool.execute(
                "UPDATE webhook_deliveries SET delivered_at = now(), next_attempt_at = NULL")
            try await receiver.reply(["anna": "now", "ben": "too"], to: 3)
            #expect(try await receiver.texts() == [["from anna", "from ben"], ["again"]])

            #expect(try await fixture.stores.people.erase("anna", app: receiver.app) == 1)
            try await receiver.gather()
            #expect(try await receiver.texts() == [["from ben"], ["too"]])
            let bodies = try await fixture.pool.query("SELECT string_agg(body, '') FROM webhook_deliveries")
            #expect(try !bodies[0][0, as: String.self].contains("anna"))
        }
    }

    @Test func messagesOfOtherAppsStay() async throws {
        try await StoreFixture.run { fixture in
            let receiver = try await Receiver(fixture, ["anna"])
            try await receiver.reply(["anna": "from anna"])
            try await receiver.gather()
            let other = try await fixture.app("com.example.Other").id
            _ = try await fixture.stores.registrations.store([
                Registration.make("p", token: "09", app: other) { $0.userID = .value("anna") }
            ])
            #expect(try await fixture.stores.people.erase("anna", app: other) == 1)
            #expect(try await receiver.texts() == [["from anna"]])
        }
    }

    @Test func personWhoPassedTheDeviceOnLeavesTheMessagesAndTheNextOneStays() async throws {
        try await StoreFixture.run { fixture in
            let receiver = try await Receiver(fixture, ["ada"])
            try await receiver.reply(["ada": "from ada"])
            _ = try await receiver.logIn("bob", on: "ada", token: "01")
            try await receiver.reply(["ada": "from bob"], to: 2)
            try await receiver.gather()
            #expect(try await fixture.stores.people.erase("ada", app: receiver.app) == 0)
            #expect(try await receiver.texts() == [["from bob"]])
        }
    }

    @Test func erasedReplyLeavesTheMessages() async throws {
        try await StoreFixture.run { fixture in
            let receiver = try await Receiver(fixture, ["anna"])
            try await receiver.reply(["anna": "first"], action: "a")
            try await receiver.reply(["anna": "second"], action: "b")
            try await receiver.gather()
            try await fixture.stores.events.eraseReply(
                EventPosition(
                    messageNumber: 1, device: try #require(receiver.devices["anna"]), kind: EventKind.text.rawValue,
                    action: "a"), app: receiver.app)
            #expect(try await receiver.texts() == [["second"]])
        }
    }

    @Test func logKeepsRepliesNoLongerThanTheApp() async throws {
        try await StoreFixture.run { fixture in
            let receiver = try await Receiver(fixture, ["anna"])
            try await receiver.reply(["anna": "old"])
            try await receiver.gather()
            try await fixture.pool.execute("UPDATE webhook_deliveries SET created_at = now() - interval '2 days'")
            #expect(try await fixture.stores.webhookQueue.deleteOld() == 0)
            try await fixture.pool.execute("UPDATE apps SET reply_days = 1")
            #expect(try await fixture.stores.webhookQueue.deleteOld() == 1)
        }
    }
}
