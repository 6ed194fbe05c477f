import BelfryCore
import Foundation
import Testing
@preconcurrency import UserNotifications

@testable import BelfryKit

@Suite struct NotificationTests {
    private static var push: [AnyHashable: Any] { ["aps": ["alert": "Tonight"], "i": "m1", "link": "app://tonight"] }

    private func response(_ action: String, _ push: [AnyHashable: Any] = push) -> UNNotificationResponse {
        UNNotificationResponse(stub: AppFixture.notification(push), actionIdentifier: action)
    }

    @Test func oneLineRecordsAnEventOnTheDiskBeforeItReturns() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            fixture.app.record(Self.push, .opened)
            let files = try #require(
                FileManager.default.enumerator(atPath: fixture.folder.appendingPathComponent("events").path))
            #expect(files.contains { "\($0)".hasSuffix(".event") } || fixture.server.events == ["opened of m1"])
            await fixture.app.flush()
            #expect(fixture.server.events == ["opened of m1"])
        }
    }

    @Test func tapLeadsIntoTheAppOnce() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            let tap = response(UNNotificationDefaultActionIdentifier)
            guard case .opened(let push) = fixture.app.handle(tap) else {
                Issue.record("The tap was not an opening.")
                return
            }
            #expect(push.custom["link"] == .string("app://tonight"))
            // iOS reports the launch to the scene as well.
            #expect(fixture.app.handle(tap) == .repeated)
            #expect(fixture.app.convert("purchase", value: 9.5))
            await fixture.app.flush()
            #expect(Set(fixture.server.events) == ["opened of m1", "converted of m1"])
        }
    }

    @Test func actionsRepliesAndDismissalsAreTold() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            let reply = UNTextInputNotificationResponse(
                stub: AppFixture.notification(Self.push), actionIdentifier: "answer", userText: "Gladly")
            let push = Push(userInfo: Self.push)
            #expect(fixture.app.handle(reply) == .reply(push, identifier: "answer", text: "Gladly"))
            #expect(fixture.app.handle(response("later")) == .action(push, identifier: "later"))
            #expect(fixture.app.handle(response(UNNotificationDismissActionIdentifier)) == .dismissed(push))
            #expect(fixture.app.handle(response("later", ["aps": [:]])) == .foreign)
            await fixture.app.flush()
            #expect(Set(fixture.server.events) == ["text of m1", "action of m1", "dismissed of m1"])
        }
    }

    @Test func pressedButtonIsAnActionWithItsLink() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            let shown: [AnyHashable: Any] = [
                "aps": ["alert": "Tonight"], "i": "m1",
                "belfry-buttons": [["id": "remind", "title": "Remind me", "link": "bells://remind"]],
            ]
            guard case .action(let push, let identifier) = fixture.app.handle(response("remind", shown)) else {
                Issue.record("The button was no action.")
                return
            }
            #expect(push.link(for: identifier) == URL(string: "bells://remind"))
            await fixture.app.flush()
            let event = fixture.server.requests("POST acknowledgements").first?["events"]
            guard case .array(let events) = event else { throw CancellationError() }
            #expect(events.first?.object?["kind"] == "action" && events.first?.object?["action"] == "remind")
        }
    }

    @Test func pushInTheForegroundIsShownAndRecorded() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            #expect(fixture.app.willPresent(AppFixture.notification(Self.push)).contains(.banner))
            #expect(fixture.app.receive(Self.push)?.custom["link"] != nil)
            #expect(fixture.app.receive(["aps": ["content-available": 1]]) == nil)
            await fixture.app.flush()
            #expect(Set(fixture.server.events) == ["presented of m1", "delivered of m1"])
        }
    }

    @Test func localNotificationOfTheServerLeadsBackToItsPlan() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            let shown = AppFixture.notification(
                ["link": "app://tonight", LocalNotificationID.versionKey: 3], id: PlanSchedule.prefix + "7/evening")
            _ = fixture.app.willPresent(shown)
            let tap = UNNotificationResponse(stub: shown, actionIdentifier: UNNotificationDefaultActionIdentifier)
            guard case .opened(let push) = fixture.app.handle(tap) else {
                Issue.record("The tap was not an opening.")
                return
            }
            #expect(push.custom["link"] == .string("app://tonight"))
            #expect(fixture.app.handle(tap) == .repeated)
            let reply = UNTextInputNotificationResponse(stub: shown, actionIdentifier: "answer", userText: "Gladly")
            #expect(fixture.app.handle(reply) == .reply(push, identifier: "answer", text: "Gladly"))
            // A conversion belongs to a push.
            #expect(!fixture.app.convert("purchase"))
            await fixture.app.flush()

            let own = fixture.server.requests.filter { $0.path.hasSuffix("/local-events") }
            #expect(own.allSatisfy { $0.words.hasPrefix("POST devices/") } && !own.isEmpty)
            let names = fixture.server.events
            #expect(Set(names) == ["presented of 7/evening", "opened of 7/evening", "action of 7/evening"])
            #expect(names.count == 3)
            guard case .array(let events) = own[0].body.object?["events"], let first = events.first?.object else {
                Issue.record("The request has no events.")
                return
            }
            #expect(first["version"]?.integer == 3 && first["message_id"] == nil && first["text"] == nil)
            #expect(first["id"]?.string.flatMap(UUID.init) != nil)
            #expect(
                fixture.app.handle(
                    UNNotificationResponse(
                        stub: AppFixture.notification([:], id: "own"), actionIdentifier: "a")) == .foreign)
        }
    }

    @Test func openingFromTheIconCountsWhatIsStillShown() async throws {
        var state = UNUserNotificationCenter.State()
        state.delivered = [
            AppFixture.notification(["i": "new"]), AppFixture.notification(["aps": [:]]),
            AppFixture.notification(["i": "old"], at: Date() - InfluencedOpens.window - 60),
        ]
        try await AppFixture.with(center: state) { fixture in
            fixture.app.start(AppFixture.configuration)
            await fixture.app.recordInfluencedOpens()
            #expect(fixture.server.events == ["influenced of new"])
        }
    }

    @Test func tapIsNoInfluencedOpenToo() async throws {
        var state = UNUserNotificationCenter.State()
        state.delivered = [AppFixture.notification(["i": "m2"])]
        try await AppFixture.with(center: state) { fixture in
            fixture.app.start(AppFixture.configuration)
            let app = fixture.app
            async let activation: Void = app.recordInfluencedOpens()
            try await Task.sleep(nanoseconds: Belfry.settlingTime / 10)
            _ = fixture.app.handle(response(UNNotificationDefaultActionIdentifier))
            await activation
            await fixture.app.flush()
            #expect(fixture.server.events == ["opened of m1"])
        }
    }

    @Test func activationThatEndsBeforeItsTapIsKnownCountsNothing() async throws {
        var state = UNUserNotificationCenter.State()
        state.delivered = [AppFixture.notification(["i": "m1"])]
        try await AppFixture.with(center: state) { fixture in
            fixture.app.start(AppFixture.configuration)
            let activation = Task { [app = fixture.app] in await app.recordInfluencedOpens() }
            activation.cancel()
            await activation.value
            await fixture.app.flush()
            #expect(fixture.server.events.isEmpty)
        }
    }

    /// iOS gives the requests of pushes with one collapse ID the same identifier.
    @Test func eachPushWithOneCollapseIDCanBeOpened() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            for id in ["m1", "m2"] {
                let push = AppFixture.notification(["aps": ["alert": "Goal"], "i": id], id: "score")
                let tap = UNNotificationResponse(stub: push, actionIdentifier: UNNotificationDefaultActionIdentifier)
                #expect(fixture.app.handle(tap) == .opened(Push(userInfo: push.request.content.userInfo)))
                #expect(fixture.app.handle(tap) == .repeated)
            }
            #expect(fixture.app.convert("purchase"))
            await fixture.app.flush()
            #expect(Set(fixture.server.events) == ["opened of m1", "opened of m2", "converted of m2"])
        }
    }

    @Test func eventBeforeTheStartIsKeptAndTold() async throws {
        try await AppFixture.with { fixture in
            var diagnostics = fixture.app.diagnostics.makeAsyncIterator()
            #expect(fixture.app.handle(response(UNNotificationDefaultActionIdentifier)) == .foreign)
            #expect(!fixture.app.convert("purchase"))
            await fixture.app.flush()
            #expect(fixture.server.words.isEmpty)

            fixture.app.start(AppFixture.configuration)
            fixture.app.start(
                BelfryConfiguration(api: "https://other.example.com/v1/apps/2", publishableKey: "bfp_y"))
            await fixture.app.flush()

            #expect(Set(fixture.server.events) == ["opened of m1", "converted of m1"])
            let codes = [await diagnostics.next()?.code, await diagnostics.next()?.code]
            #expect(codes == ["not-started", "started-twice"])
        }
    }
}
