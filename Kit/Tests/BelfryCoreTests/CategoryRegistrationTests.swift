import Foundation
import Testing

@testable import BelfryCore

@Suite struct CategoryRegistrationTests {
    private static let json = """
        {"form": "user_notifications", "categories": [{"identifier": "order", "intent_identifiers": [], "options": 1,
        "option_names": ["custom_dismiss_action"], "actions": [
        {"identifier": "open", "title": "Öffnen", "options": 4, "option_names": ["foreground"],
         "icon": {"system_image_name": "bell"}},
        {"identifier": "reply", "title": "Reply", "options": 1,
         "text_input": {"button_title": "Send", "placeholder": ""}}]}]}
        """

    private static func categories(_ json: String = json) throws -> [NotificationCategory] {
        try JSONDecoder().decode(CategoryList.self, from: Data(json.utf8)).categories
    }

    @Test func answerOfTheServerIsRead() throws {
        let category = try #require(try Self.categories().first)
        #expect(category.identifier == "order" && category.options == 1)
        #expect(category.actions[0].icon?.systemImageName == "bell")
        #expect(category.actions[1].textInput?.buttonTitle == "Send")
    }

    @Test func categoriesOfTheAppAreKept() throws {
        var registration = CategoryRegistration()
        let categories = try Self.categories()
        #expect(registration.update(to: categories, present: ["app"]) == .set(categories, keeping: ["app"]))
        // One that the server has no longer is the kit's, so it goes.
        #expect(registration.update(to: [], present: ["app", "order"]) == .set([], keeping: ["app"]))
    }

    @Test func categoriesForTheButtonsOfPushesAreKept() throws {
        var registration = CategoryRegistration()
        let categories = try Self.categories()
        let buttons = ButtonRegistration.prefix + "1"
        #expect(registration.update(to: categories, present: [buttons]) == .set(categories, keeping: [buttons]))
        #expect(registration.update(to: [], present: [buttons, "order"]) == .set([], keeping: [buttons]))
    }

    @Test func unchangedCategoriesNeedNoCall() throws {
        var registration = CategoryRegistration()
        let categories = try Self.categories()
        _ = registration.update(to: categories, present: [])
        #expect(registration.update(to: categories, present: ["order", "app"]) == .none)
    }

    @Test func categoriesThatOtherCodeHasRemovedComeBack() throws {
        var registration = CategoryRegistration()
        let categories = try Self.categories()
        _ = registration.update(to: categories, present: [])
        #expect(registration.update(to: categories, present: ["app"]) == .set(categories, keeping: ["app"]))
    }

    @Test func categoryOfTheServerReplacesOneOfTheAppWithItsName() throws {
        var registration = CategoryRegistration()
        let categories = try Self.categories()
        #expect(registration.update(to: categories, present: ["order"]) == .set(categories, keeping: []))
    }

    @Test func copyIsAskedForByItsTag() throws {
        var copy = ServerCopy<CategoryList>()
        let list = try JSONDecoder().decode(CategoryList.self, from: Data(Self.json.utf8))
        try copy.received(status: 200, tag: "\"a\"", body: Data(Self.json.utf8))
        #expect(copy.tag == "\"a\"" && copy.value == list)
        try copy.received(status: 304, tag: nil, body: Data())
        #expect(copy.tag == "\"a\"" && copy.value == list)
        try copy.received(status: 200, tag: "\"b\"", body: Data(Self.json.utf8))
        #expect(copy.tag == "\"b\"")
    }

    @Test func answerThatCanNotBeReadLeavesTheCopy() throws {
        var copy = ServerCopy<CategoryList>()
        try copy.received(status: 200, tag: "\"a\"", body: Data(Self.json.utf8))
        for body in ["", "[]", "{\"categories\": 7}", "<html>"] {
            #expect(throws: DecodingError.self) {
                try copy.received(status: 200, tag: "\"x\"", body: Data(body.utf8))
            }
        }
        #expect(copy.value != nil && copy.tag == "\"a\"")
    }
}
