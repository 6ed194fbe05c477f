import API
import Application
import Campaigns
import JSON
import Notifications
import Store

/// Apple as these tests need it: a token that ends in 00 is gone, all others are known.
struct StubTestPusher: TestPusher {
    func send(_ pushes: [TestPush], of app: App.ID, _ options: PushOptions) async throws -> [TestPushResult] {
        pushes.map { push in
            guard push.token.bytes.last != 0 else {
                return TestPushResult(
                    .rejected, host: "apple", status: 410, reason: "Unregistered", invalidSince: 1_000,
                    meaning: "It is gone.", remedy: "Forget it.")
            }
            // What was sent is told in the place of what it means.
            let sent: JSON = [
                "payload": (try? JSON(parsing: push.payload)) ?? .null, "topic": .string(options.bundleID.text),
                "type": .string(options.pushType.rawValue), "priority": .number(.init(options.priority.rawValue)),
                "collapse": .string(options.collapseID?.text ?? "none"),
            ]
            return TestPushResult(
                .accepted, host: "apple", status: 200,
                uniqueID: push.environment == .development ? "unique" : nil,
                meaning: String(decoding: sent.encoded(), as: UTF8.self))
        }
    }
}

/// For tests of all else.
struct NoMedia: MediaFinder {
    func find(_ reference: MediaReference, app: App.ID) async throws -> MediaLookupResult { .absent }
}
