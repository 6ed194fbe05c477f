import Foundation
import Notifications
import Testing

@Suite struct CategorySourceTests {
    private let message = Category(
        identifier: "message",
        actions: [
            .init(
                identifier: "reply", title: LocalizedText("Reply", [(try? LocaleTag("zh-Hant"))!: "回覆"]),
                options: [.authenticationRequired, .destructive], icon: .systemImage("arrow"),
                textInput: .init(buttonTitle: "Send", placeholder: "Say \"hi\"")),
            .init(identifier: "like", title: "Like 👍"),
        ], hiddenPreviewsBodyPlaceholder: "%u new", options: [.customDismissAction, .allowInCarPlay],
        contentExtension: .init(initialContentSizeRatio: 0.5, defaultContentHidden: true))
    private let plain = Category(identifier: "plain", intentIdentifiers: ["INSendMessageIntent"])

    @Test func swiftSource() {
        #expect(
            CategorySource.swift([message, plain]) == #"""
                import UserNotifications

                /// Registers the notification categories and replaces those registered before. Call it at each launch.
                /// Icons need iOS 15.
                func registerNotificationCategories() {
                    UNUserNotificationCenter.current().setNotificationCategories([
                        UNNotificationCategory(
                            identifier: "message",
                            actions: [
                                UNTextInputNotificationAction(
                                    identifier: "reply",
                                    title: NSLocalizedString("notification/message/reply/title", value: "Reply", comment: ""),
                                    options: [.authenticationRequired, .destructive],
                                    icon: UNNotificationActionIcon(
                                        systemImageName: "arrow"),
                                    textInputButtonTitle: "Send",
                                    textInputPlaceholder: "Say \"hi\""),
                                UNNotificationAction(
                                    identifier: "like",
                                    title: "Like 👍",
                                    options: []),
                            ],
                            intentIdentifiers: [],
                            hiddenPreviewsBodyPlaceholder: "%u new",
                            options: [.customDismissAction, .allowInCarPlay]),
                        UNNotificationCategory(
                            identifier: "plain",
                            actions: [],
                            intentIdentifiers: [
                                "INSendMessageIntent",
                            ],
                            options: []),
                    ])
                }

                """#)
    }

    @Test func objectiveCSource() {
        #expect(
            CategorySource.objectiveC([message, plain]) == #"""
                #import <UserNotifications/UserNotifications.h>

                /// Registers the notification categories and replaces those registered before. Call it at each launch.
                /// Icons need iOS 15.
                static void RegisterNotificationCategories(void) {
                    NSArray<UNNotificationCategory *> *categories = @[
                        [UNNotificationCategory
                            categoryWithIdentifier:@"message"
                            actions:@[
                                [UNTextInputNotificationAction
                                    actionWithIdentifier:@"reply"
                                    title:NSLocalizedStringWithDefaultValue(@"notification/message/reply/title", nil, NSBundle.mainBundle, @"Reply", @"")
                                    options:UNNotificationActionOptionAuthenticationRequired | UNNotificationActionOptionDestructive
                                    icon:[UNNotificationActionIcon
                                        iconWithSystemImageName:@"arrow"]
                                    textInputButtonTitle:@"Send"
                                    textInputPlaceholder:@"Say \"hi\""],
                                [UNNotificationAction
                                    actionWithIdentifier:@"like"
                                    title:@"Like 👍"
                                    options:UNNotificationActionOptionNone],
                            ]
                            intentIdentifiers:@[]
                            hiddenPreviewsBodyPlaceholder:@"%u new"
                            options:UNNotificationCategoryOptionCustomDismissAction | UNNotificationCategoryOptionAllowInCarPlay],
                        [UNNotificationCategory
                            categoryWithIdentifier:@"plain"
                            actions:@[]
                            intentIdentifiers:@[
                                @"INSendMessageIntent",
                            ]
                            options:UNNotificationCategoryOptionNone],
                    ];
                    [UNUserNotificationCenter.currentNotificationCenter
                        setNotificationCategories:[NSSet setWithArray:categories]];
                }

                """#)
    }

    @Test func summaryFormatUsesTheInitialiserWithIt() {
        let category = Category(identifier: "c", categorySummaryFormat: "%u from %@")

        #expect(CategorySource.swift([category]).contains("hiddenPreviewsBodyPlaceholder: nil,"))
        #expect(CategorySource.swift([category]).contains("/// Summary formats need iOS 12."))
        #expect(CategorySource.objectiveC([category]).contains("hiddenPreviewsBodyPlaceholder:nil\n"))
    }

    @Test func translatedTextsHaveStringsLines() throws {
        #expect(
            CategorySource.strings([message, plain], for: try LocaleTag("zh-Hant-HK"))
                == "\"notification/message/reply/title\" = \"回覆\";\n")
        #expect(
            CategorySource.strings([message], for: try LocaleTag("fr"))
                == "\"notification/message/reply/title\" = \"Reply\";\n")
    }

    @Test func textsOfDifferentActionsHaveDifferentKeys() throws {
        let title = LocalizedText("t", [try LocaleTag("zh"): "z"])
        func category(_ identifier: String, _ action: String) -> Category {
            Category(identifier: identifier, actions: [.init(identifier: action, title: title)])
        }
        let categories = [
            category("a", "b/c"), category("a/b", "c"), category("a", "b.c"), category("a.b", "c"),
            category("a", "b%2Fc"), category("a%2Fb", "c"),
        ]

        let lines = CategorySource.strings(categories, for: try LocaleTag("zh")).split(separator: "\n")

        #expect(Set(lines).count == 6)
        #expect(lines[3] == #""notification/a.b/c/title" = "z";"#)
    }

    @Test func infoPlistIsReadBack() throws {
        var category = message
        category.identifier = "a<b> & \"c\""
        let fragment = try #require(category.infoPlistFragment)
        let plist = "<plist version=\"1.0\"><dict>\(fragment)</dict></plist>"

        let read = try PropertyListSerialization.propertyList(from: Data(plist.utf8), format: nil) as? [String: Any]

        let info = try #require(read?["NSExtension"] as? [String: Any])
        let attributes = try #require(info["NSExtensionAttributes"] as? [String: Any])
        #expect(info["NSExtensionPointIdentifier"] as? String == "com.apple.usernotifications.content-extension")
        #expect(attributes["UNNotificationExtensionCategory"] as? String == category.identifier)
        #expect(attributes["UNNotificationExtensionInitialContentSizeRatio"] as? Double == 0.5)
        #expect(attributes["UNNotificationExtensionDefaultContentHidden"] as? Bool == true)
        #expect(attributes["UNNotificationExtensionOverridesDefaultTitle"] as? Bool == false)
        #expect(attributes["UNNotificationExtensionUserInteractionEnabled"] as? Bool == false)
        #expect(plain.infoPlistFragment == nil)
    }
}
