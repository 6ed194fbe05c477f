import BelfryCore
import Foundation
import Testing
import UserNotifications

@testable import BelfryNotificationService

/// Buttons that were typed for a push, as they reach iOS.
@Suite(.timeLimit(.minutes(1))) struct ButtonTests {
    private static func push(
        _ buttons: Any = [
            ["id": "remind", "title": "Remind me", "link": "bells://remind"],
            ["id": "no", "title": "Not now", "destructive": true],
        ], category: String? = nil, file: URL? = nil
    ) -> [AnyHashable: Any] {
        var aps: [String: Any] = ["alert": "Tonight", "mutable-content": 1]
        aps["category"] = category
        var push: [AnyHashable: Any] = ["aps": aps, "i": "m", "belfry-buttons": buttons]
        push["attachment-url"] = file.map { "\($0)" }
        return push
    }

    private static func category(_ identifier: String) -> UNNotificationCategory {
        UNNotificationCategory(identifier: identifier, actions: [], intentIdentifiers: [])
    }

    private static func shown(_ category: String) -> UNNotification {
        let content = UNMutableNotificationContent()
        content.categoryIdentifier = category
        return UNNotification(
            stub: UNNotificationRequest(identifier: category, content: content, trigger: nil), date: Date())
    }

    private static func identifiers(_ phone: Phone) -> Set<String> {
        phone.center.stub { Set($0.categories.map(\.identifier)) }
    }

    @Test func iOSHasTheButtonsBeforeThePushIsShown() async throws {
        var state = UNUserNotificationCenter.State()
        state.setsCategoriesLater = true
        try await Phone.with(UNUserNotificationCenter(stub: state)) { phone in
            let service = try phone.service()
            phone.receive(Self.push(), service)

            let shown = try await phone.next()
            let category = try #require(phone.center.stub { $0.categories.first { $0.identifier == shown.category } })
            #expect(category.actions.map(\.identifier) == ["remind", "no"])
            #expect(category.actions.map(\.title) == ["Remind me", "Not now"])
            #expect(category.actions.map(\.options) == [.foreground, .destructive])
            #expect(service.codes.isEmpty)
        }
    }

    @Test func fileChangesAndButtonsAreShownTogether() async throws {
        try await Phone.with { phone in
            let (url, _) = try FakeMedia.serve(.init(pieces: [Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](1...200))]))
            let service = try phone.service()
            service.preparing = { $0.body = "Decrypted" }
            phone.receive(Self.push(file: url), service)

            let shown = try await phone.next()
            #expect(shown.body == "Decrypted" && shown.files.count == 1)
            #expect(Self.identifiers(phone) == [shown.category])
        }
    }

    @Test func otherCategoriesAndThoseOfShownNotificationsStay() async throws {
        var state = UNUserNotificationCenter.State()
        state.categories = Set(["own", "belfry.buttons.shown", "belfry.buttons.old"].map(Self.category))
        state.delivered = [Self.shown("belfry.buttons.shown"), Self.shown("")]
        try await Phone.with(UNUserNotificationCenter(stub: state)) { phone in
            phone.receive(Self.push(), try phone.service())
            let new = try await phone.next().category
            #expect(Self.identifiers(phone) == ["own", "belfry.buttons.shown", new])
        }
    }

    @Test func equalButtonsHaveOneCategoryAndNeedOneCall() async throws {
        try await Phone.with { phone in
            for link in ["bells://a", "bells://b"] {
                phone.receive(Self.push([["id": "a", "title": "A", "link": link]]), try phone.service())
            }
            let shown = try await [phone.next(), phone.next()]
            #expect(shown[0].category == shown[1].category && Self.identifiers(phone) == [shown[0].category])
            #expect(phone.center.stub { $0.categoryCalls } == 1)
        }
    }

    /// None of them is on the screen yet when the next one is registered.
    @Test func pushesThatComeTogetherKeepTheirButtons() async throws {
        try await Phone.with(LateCenter(stub: .init())) { phone in
            for number in 0..<8 {
                phone.receive(Self.push([["id": "a", "title": "\(number)"]]), try phone.service())
            }
            var categories: Set<String> = []
            for _ in 0..<8 { categories.insert(try await phone.next().category) }
            #expect(categories.count == 8 && Self.identifiers(phone) == categories)
        }
    }

    @Test func categoryOfThePayloadWins() async throws {
        try await Phone.with { phone in
            let service = try phone.service()
            phone.receive(Self.push(category: "order"), service)
            // The stub's content has no category of its own, so nothing else has set one.
            #expect(try await phone.next().category == "")
            #expect(service.codes == ["buttons"] && phone.center.stub { $0.categoryCalls } == 0)
        }
    }

    @Test func categoryThatTheAppSetsWins() async throws {
        try await Phone.with { phone in
            let service = try phone.service()
            service.preparing = { $0.categoryIdentifier = "own" }
            phone.receive(Self.push(), service)
            #expect(try await phone.next().category == "own")
        }
    }

    @Test func buttonsThatCanNotBeReadLeaveThePushAsItCame() async throws {
        try await Phone.with { phone in
            let service = try phone.service()
            phone.receive(Self.push([["id": "a", "title": "A"], ["id": "b"]]), service)
            #expect(try await phone.next() == Phone.Shown(body: "As it came", files: []))
            #expect(service.codes == ["buttons"] && phone.center.stub { $0.categoryCalls } == 0)
        }
    }

    @Test func timeThatEndsBeforeIOSAnswersShowsThePushOnceWithoutButtons() async throws {
        let center = LateCenter(stub: .init())
        center.hang()
        try await Phone.with(center) { phone in
            let service = try phone.service()
            phone.receive(Self.push(), service)
            service.serviceExtensionTimeWillExpire()
            #expect(try await phone.next() == Phone.Shown(body: "As it came", files: []))
            center.answer()
            await service.settle()
            #expect(phone.showings == 1)
        }
    }
}

/// A center that answers on another thread, as Apple's does, with what was there at the call.
private final class LateCenter: UNUserNotificationCenter {
    private let queue = DispatchQueue(label: "center")

    /// Nothing is answered until `answer`.
    func hang() { queue.suspend() }
    func answer() { queue.resume() }

    override func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        nonisolated(unsafe) let categories = stub { $0.categories }
        queue.async { completionHandler(categories) }
    }
}
