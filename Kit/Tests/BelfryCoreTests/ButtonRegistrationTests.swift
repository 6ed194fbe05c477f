import Foundation
import Testing

@testable import BelfryCore

@Suite struct ButtonRegistrationTests {
    private static func identifier(_ buttons: [[String: Any]]) throws -> String {
        let read = Push(userInfo: ["belfry-buttons": buttons]).buttons
        #expect(!read.isEmpty)
        return ButtonRegistration.identifier(of: read)
    }

    private static func name(_ number: Int) -> String { "belfry.buttons.\(number)" }

    /// Another process and a later version of the kit make the same one: buttons that are shown keep their category.
    @Test func identifierNeverChanges() throws {
        let identifier = try Self.identifier([
            ["id": "remind", "title": "Remind me", "link": "bells://remind"], ["id": "no", "title": "Not now"],
        ])
        #expect(identifier == "belfry.buttons.6781ff415b004f4")
    }

    @Test func whatTheCategoryShowsMakesTheIdentifierAndTheLinkDoesNot() throws {
        let one = try Self.identifier([["id": "a", "title": "A", "link": "bells://1"]])
        #expect(try Self.identifier([["id": "a", "title": "A", "link": "bells://2"]]) == one)
        let others: [[[String: Any]]] = [
            [["id": "a", "title": "A"]], [["id": "b", "title": "A", "link": "bells://1"]],
            [["id": "a", "title": "B", "link": "bells://1"]], [["id": "aA", "title": "A"]],
            [["id": "a", "title": "AA"]],
            [["id": "a", "title": "A", "destructive": true]],
            [["id": "a", "title": "A"], ["id": "b", "title": "B"]],
            [["id": "b", "title": "B"], ["id": "a", "title": "A"]],
        ]
        #expect(try Set(others.map(Self.identifier) + [one]).count == others.count + 1)
    }

    @Test func onlyCategoriesForButtonsThatNoNotificationHasAreRemoved() {
        var registration = ButtonRegistration()
        let present = ["own", "ORDER", Self.name(1), Self.name(2)]
        #expect(
            registration.register(Self.name(3), present: present, shown: ["own", Self.name(2), ""])
                == [Self.name(1)])
    }

    @Test func registeredCategoryNeedsNoCall() {
        var registration = ButtonRegistration()
        #expect(registration.register(Self.name(1), present: [Self.name(1), Self.name(2)], shown: []) == nil)
    }

    @Test func categoriesOfPushesThatAreNotOnTheScreenYetStay() {
        var registration = ButtonRegistration()
        let present = (0...ButtonRegistration.maximumRecent).map(Self.name)
        for number in present.indices {
            let stale = registration.register(present[number], present: Array(present[..<number]), shown: [])
            #expect(stale == (number == ButtonRegistration.maximumRecent ? [present[0]] : []))
        }
    }
}
