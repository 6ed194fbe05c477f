import Foundation
import JSON
import Notifications
import Testing

@Suite struct CategoryLegacyTests {
    private let category = Category(
        identifier: "category",
        actions: [
            .init(identifier: "open", title: "Open", options: .foreground),
            .init(
                identifier: "reply", title: LocalizedText("Reply", [(try? LocaleTag("zh"))!: "回复"]),
                options: .authenticationRequired, textInput: .init(buttonTitle: "Send", placeholder: "Text")),
            .init(identifier: "delete", title: "Delete", options: .destructive, icon: .systemImage("trash")),
            .init(identifier: "fourth", title: "Fourth"), .init(identifier: "fifth", title: "Fifth"),
        ], options: .customDismissAction)

    @Test func actionsAreMapped() {
        let actions = LegacyCategory(category).actions

        #expect(actions.map(\.activationMode) == [.foreground, .background, .background, .background])
        #expect(actions.map(\.authenticationRequired) == [true, true, false, false])
        #expect(actions.map(\.destructive) == [false, false, true, false])
        #expect(actions.map(\.behavior) == [.default, .textInput, .default, .default])
    }

    @Test func contextsShowFourAndTwoActions() {
        let legacy = LegacyCategory(category)

        #expect(legacy.actions(in: .default).map(\.identifier) == ["open", "reply", "delete", "fourth"])
        #expect(legacy.actions(in: .minimal).map(\.identifier) == ["open", "reply"])
    }

    /// The JSON as an app for iOS 8 reads it.
    private struct AppCategory: Decodable {
        struct Action: Decodable {
            let identifier: String
            let title: String
            let activationMode: Int
            let authenticationRequired: Bool
            let destructive: Bool
            let behavior: Int
            let parameters: [String: String]?
        }
        struct Context: Decodable {
            let context: Int
            let contextName: String
            let actions: [Action]
        }
        let identifier: String
        let contexts: [Context]
    }

    @Test func appGetsRawValues() throws {
        let json = LegacyCategory(category).appJSON(for: try LocaleTag("zh-Hans-CN"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase

        let received = try decoder.decode(AppCategory.self, from: Data(json.encoded()))

        #expect(received.identifier == "category")
        #expect(received.contexts.map(\.context) == [0, 1])
        #expect(received.contexts.map(\.contextName) == ["default", "minimal"])
        #expect(received.contexts.map(\.actions.count) == [4, 2])
        let reply = received.contexts[1].actions[1]
        #expect(reply.title == "回复")
        #expect(reply.activationMode == 1)
        #expect(reply.behavior == 1)
        #expect(reply.authenticationRequired)
        #expect(reply.parameters == ["UIUserNotificationTextInputActionButtonTitleKey": "Send"])
        #expect(received.contexts[0].actions[2].destructive)
        #expect(received.contexts[0].actions[2].parameters == nil)
    }

    @Test func swiftSource() {
        var short = category
        short.actions = Array(category.actions[1...2])

        #expect(
            CategorySource.legacySwift([short]) == #"""
                import UIKit

                /// Registers the notification categories on iOS 8 and 9, where the same call asks for permission.
                /// Text fields need iOS 9.
                func registerUserNotificationCategories() {
                    let action1 = UIMutableUserNotificationAction()
                    action1.identifier = "reply"
                    action1.title = NSLocalizedString("notification/category/reply/title", value: "Reply", comment: "")
                    action1.activationMode = .background
                    action1.isAuthenticationRequired = true
                    action1.isDestructive = false
                    if #available(iOS 9.0, *) {
                        action1.behavior = .textInput
                        action1.parameters = [UIUserNotificationTextInputActionButtonTitleKey: "Send"]
                    }

                    let action2 = UIMutableUserNotificationAction()
                    action2.identifier = "delete"
                    action2.title = "Delete"
                    action2.activationMode = .background
                    action2.isAuthenticationRequired = false
                    action2.isDestructive = true

                    let category1 = UIMutableUserNotificationCategory()
                    category1.identifier = "category"
                    category1.setActions([action1, action2], for: .default)
                    category1.setActions([action1, action2], for: .minimal)

                    UIApplication.shared.registerUserNotificationSettings(
                        UIUserNotificationSettings(
                            types: [.alert, .badge, .sound],
                            categories: [category1]))
                }

                """#)
    }

    @Test func objectiveCSource() {
        let source = CategorySource.legacyObjectiveC([category, Category(identifier: "say \"hi\"")])

        for line in [
            "    UIMutableUserNotificationAction *action1 = [UIMutableUserNotificationAction new];",
            "    action1.activationMode = UIUserNotificationActivationModeForeground;",
            "    action1.authenticationRequired = YES;",
            "        action2.parameters = @{UIUserNotificationTextInputActionButtonTitleKey: @\"Send\"};",
            "    action3.destructive = YES;",
            "    [category1 setActions:@[action1, action2, action3, action4] forContext:UIUserNotificationActionContextDefault];",
            "    [category1 setActions:@[action1, action2] forContext:UIUserNotificationActionContextMinimal];",
            "    category2.identifier = @\"say \\\"hi\\\"\";",
            "            categories:[NSSet setWithArray:@[category1, category2]]]];",
        ] {
            #expect(source.contains(line + "\n"), "\(line)")
        }
        #expect(!source.contains("action5"))
    }
}
