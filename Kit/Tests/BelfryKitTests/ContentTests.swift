import BelfryCore
import Foundation
import KitTestSupport
import Testing
@preconcurrency import UserNotifications

@testable import BelfryKit

/// Categories and local plans, as they reach iOS.
@Suite struct ContentTests {
    private static let categories = """
        {"form": "user_notifications", "categories": [{"identifier": "news", "options": 1, "intent_identifiers": [],
         "hidden_previews_body_placeholder": null, "category_summary_format": null, "actions": [
          {"identifier": "read", "title": "Read", "options": 4, "icon": {"system_image_name": "book"}},
          {"identifier": "answer", "title": "Answer", "options": 1,
           "text_input": {"button_title": "Send", "placeholder": "Your answer"}}]}]}
        """

    @Test func categoriesAreRegisteredBesideTheAppsOwnAndOnlyOnce() async throws {
        var state = UNUserNotificationCenter.State()
        state.categories = [UNNotificationCategory(identifier: "own", actions: [], intentIdentifiers: [])]
        try await AppFixture.with(["categories/registration": Self.categories], center: state) { fixture in
            fixture.app.start(AppFixture.configuration)
            await fixture.app.registerCategories()
            await fixture.app.registerCategories()
            let (categories, calls) = fixture.center.stub { ($0.categories, $0.categoryCalls) }
            #expect(calls == 1 && Set(categories.map(\.identifier)) == ["own", "news"])
            let news = try #require(categories.first { $0.identifier == "news" })
            #expect(news.options == .customDismissAction && news.actions.map(\.identifier) == ["read", "answer"])
            #expect(news.actions.first?.options == .foreground)
            #expect(news.actions.first?.icon?.stubSystemImageName == "book")
            let input = try #require(news.actions.last as? UNTextInputNotificationAction)
            #expect(input.textInputButtonTitle == "Send" && input.textInputPlaceholder == "Your answer")
        }
    }

    /// iOS tells the categories, the service extension adds one, and then the app sets its own.
    @Test func categoryThatTheServiceExtensionAddsMeanwhileStays() async throws {
        let center = BusyCenter(stub: .init())
        try await AppFixture.with(["categories/registration": Self.categories], on: center) { fixture in
            fixture.app.start(AppFixture.configuration)
            await fixture.app.registerCategories()
            let categories = center.stub { Set($0.categories.map(\.identifier)) }
            #expect(categories == ["news", "belfry.buttons.1"])
        }
    }

    /// Gets a category for buttons after it was read first.
    private final class BusyCenter: UNUserNotificationCenter {
        override func getNotificationCategories(
            completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
        ) {
            completionHandler(stub { $0.categories })
            stub { state in
                guard state.categories.isEmpty else { return }
                state.categories = [
                    UNNotificationCategory(identifier: "belfry.buttons.1", actions: [], intentIdentifiers: [])
                ]
            }
        }
    }

    private static let plans = """
        {"notifications": [
          {"identifier": "1/soon", "trigger": {"type": "interval", "seconds": 3600, "repeats": false},
           "content": {"title": "Still there?", "body": {"localization_key": "COME_BACK", "arguments": ["Ada"]},
            "badge": 2, "sound": {"name": "bell.caf", "critical": false}, "category_identifier": "news",
            "interruption_level": 2, "relevance_score": 0.5, "user_info": {"link": "app://back", "n": [1, true]}}},
          {"identifier": "1/noon", "trigger": {"type": "calendar", "components": {"hour": 12}, "repeats": true,
           "time_zone": "Asia/Tokyo"}, "content": {"body": "Noon"}},
          {"identifier": "1/bad", "trigger": {"type": "interval", "seconds": 5, "repeats": true}, "content": {}},
          {"identifier": "1/later", "trigger": {"type": "moon"}, "content": {}}],
         "omitted_count": 3}
        """

    @Test func localPlansReachIOSWithTheirContent() async throws {
        var state = UNUserNotificationCenter.State()
        state.pending = [
            UNNotificationRequest(identifier: "own", content: UNMutableNotificationContent(), trigger: nil)
        ]
        try await AppFixture.with(["local-plans/scheduled": Self.plans], center: state) { fixture in
            fixture.app.start(AppFixture.configuration)
            let result = try #require(await fixture.app.scheduleLocalPlans(reserving: 10))
            #expect(result.omitted == 3)
            let pending = fixture.center.stub { $0.pending }
            #expect(Set(pending.map(\.identifier)) == ["own", "belfry.plan.1/soon", "belfry.plan.1/noon"])
            let soon = try #require(pending.first { $0.identifier == "belfry.plan.1/soon" })
            #expect(soon.content.title == "Still there?" && soon.content.badge == 2)
            #expect(soon.content.sound?.stubName?.rawValue == "bell.caf")
            #expect(soon.content.interruptionLevel == .timeSensitive && soon.content.relevanceScore == 0.5)
            #expect(soon.content.userInfo["link"] as? String == "app://back")
            #expect((soon.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 3600)
            let noon = try #require(pending.first { $0.identifier == "belfry.plan.1/noon" })
            let components = try #require((noon.trigger as? UNCalendarNotificationTrigger)?.dateComponents)
            #expect(components.hour == 12 && components.timeZone?.identifier == "Asia/Tokyo" && components.day == nil)
            let calls = fixture.center.stub { $0.addCalls }
            _ = await fixture.app.scheduleLocalPlans(reserving: 10)
            #expect(fixture.center.stub { $0.addCalls } == calls)
        }
    }

    @Test func placesForTheAppsOwnAreKeptFromTheStartOn() async throws {
        let many = (0..<64).map {
            #"{"identifier": "1/\#($0)", "trigger": {"type": "interval", "seconds": \#(60 + $0)}, "content": {}}"#
        }
        let plans = #"{"notifications": [\#(many.joined(separator: ", "))], "omitted_count": 0}"#
        try await AppFixture.with(["local-plans/scheduled": plans]) { fixture in
            fixture.app.start(AppFixture.configuration, reserving: 10)
            // A number that is not given is the last one.
            #expect(await fixture.app.scheduleLocalPlans() == .init(kept: 54, omitted: 10))
            fixture.app.refresh()
            await fixture.app.flush()
            #expect(fixture.center.stub { ($0.addCalls, $0.pending.count) } == (54, 54))
        }
    }

    @Test func triggerThatIOSWouldRefuseIsADiagnosticAndNoCrash() async throws {
        try await AppFixture.with(["local-plans/scheduled": Self.plans]) { fixture in
            fixture.app.start(AppFixture.configuration)
            _ = await fixture.app.scheduleLocalPlans()
            var diagnostics = fixture.app.diagnostics.makeAsyncIterator()
            #expect(await diagnostics.next()?.message.contains("1/bad") == true)
        }
    }

    private static func plan(attachment: String) -> String {
        """
        {"notifications": [{"identifier": "1/a", "trigger": {"type": "interval", "seconds": 3600, "repeats": false},
          "content": {"body": "Look", "attachment_url": "\(attachment)"}}], "omitted_count": 0}
        """
    }

    @Test func fileOfALocalPlanIsAttached() async throws {
        let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 1_000)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(jpeg.count)\r\n\r\n"
        let files = try SocketServer(Array(head.utf8) + jpeg)
        let plan = Self.plan(attachment: "http://127.0.0.1:\(files.port)/picture")
        try await AppFixture.with(["local-plans/scheduled": plan]) { fixture in
            fixture.app.start(AppFixture.configuration)
            await fixture.app.flush()
            let shown = try #require(fixture.center.stub { $0.pending }.first?.content)
            let file = try #require(shown.attachments.first?.url)
            #expect(shown.body == "Look" && file.pathExtension == "jpg")
            #expect(try Data(contentsOf: file) == Data(jpeg))
            // iOS would have moved it.
            try FileManager.default.removeItem(at: file)
        }
    }

    @Test func localPlanWithoutItsFileIsStillScheduled() async throws {
        let plan = Self.plan(attachment: "http://127.0.0.1:1/picture.jpg")
        try await AppFixture.with(["local-plans/scheduled": plan]) { fixture in
            fixture.app.start(AppFixture.configuration)
            await fixture.app.flush()
            let shown = try #require(fixture.center.stub { $0.pending }.first?.content)
            #expect(shown.body == "Look" && shown.attachments.isEmpty)
            var diagnostics = fixture.app.diagnostics.makeAsyncIterator()
            #expect(await diagnostics.next()?.code == "attachment-not-shown")
        }
    }

    @Test func notificationThatIOSRefusedIsTriedAgain() async throws {
        var state = UNUserNotificationCenter.State()
        state.addError = UNError(.notificationInvalidNoContent)
        try await AppFixture.with(["local-plans/scheduled": Self.plans], center: state) { fixture in
            fixture.app.start(AppFixture.configuration)
            await fixture.app.flush()
            #expect(fixture.center.stub { $0.pending.map(\.identifier) } == ["belfry.plan.1/noon"])
            await fixture.app.scheduleLocalPlans()
            #expect(
                Set(fixture.center.stub { $0.pending.map(\.identifier) }) == [
                    "belfry.plan.1/noon", "belfry.plan.1/soon",
                ])
        }
    }
}
