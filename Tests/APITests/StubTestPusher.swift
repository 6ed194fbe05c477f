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
            // `meaning` returns the pushed content as JSON, so that tests can compare it.
            let sent: JSON = [
                "payload": (try? JSON(parsing: push.payload)) ?? .null, "topic": .string(options.bundleID.text),
                "type": .string(options.pushType.rawValue), "priority": .number(.init(options.priority.rawValue)),
                "collapse": .string(options.collapseID?.text ?? "none"),
            ]
            return TestPushResult(
                .accepted, host: "apple", status: 200,
                uniqueID: push.environment == .development ? "unique" : nil,
                meaning: Message(verbatim: String(decoding: sent.encoded(), as: UTF8.self)))
        }
    }
}

/// Apple knows every key, but for production only.
struct StubCredentialChecker: CredentialChecker {
    func check(_ draft: CredentialDraft, for bundleID: BundleID) async -> [CredentialFinding] {
        PushEnvironment.allCases.filter(draft.environments.contains).map { environment in
            environment == .production
                ? CredentialFinding(
                    environment: environment, outcome: .accepted, host: "apple", status: 400,
                    meaning: Message(verbatim: bundleID.text))
                : CredentialFinding(
                    environment: environment, outcome: .rejected, host: "apple", status: 403,
                    reason: "BadEnvironmentKeyInToken", meaning: Message(verbatim: draft.keyID.text),
                    remedy: Message(verbatim: draft.teamID.text))
        }
    }
}
