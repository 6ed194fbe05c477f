/// Source for iOS 8 and 9, where objects are created empty and their properties set afterwards.
extension CategorySource {
    public static func legacySwift(_ categories: [Category]) -> String {
        let numbered = LegacyVariableNames(categories)
        return """
            import UIKit

            /// Registers the notification categories on iOS 8 and 9, where the same call asks for permission.
            /// Text fields need iOS 9.
            func registerUserNotificationCategories() {
            \(numbered.actions.map(swift).joined())\(numbered.categories.map(swift).joined())\
                UIApplication.shared.registerUserNotificationSettings(
                    UIUserNotificationSettings(
                        types: [.alert, .badge, .sound],
                        categories: [\(numbered.categoryNames)]))
            }

            """
    }

    public static func legacyObjectiveC(_ categories: [Category]) -> String {
        let numbered = LegacyVariableNames(categories)
        return """
            #import <UIKit/UIKit.h>

            /// Registers the notification categories on iOS 8 and 9, where the same call asks for permission.
            /// Text fields need iOS 9.
            static void RegisterUserNotificationCategories(void) {
            \(numbered.actions.map(objectiveC).joined())\(numbered.categories.map(objectiveC).joined())\
                [UIApplication.sharedApplication registerUserNotificationSettings:
                    [UIUserNotificationSettings
                        settingsForTypes:UIUserNotificationTypeAlert | UIUserNotificationTypeBadge
                            | UIUserNotificationTypeSound
                        categories:[NSSet setWithArray:@[\(numbered.categoryNames)]]]];
            }

            """
    }

    private static func swift(_ action: LegacyVariableNames.Action) -> String {
        let name = action.name
        var lines = [
            "let \(name) = UIMutableUserNotificationAction()",
            "\(name).identifier = \(SwiftSource.string(action.action.identifier))",
            "\(name).title = \(SwiftSource.text(action.action.title, key: action.titleKey))",
            "\(name).activationMode = .\(action.action.activationMode)",
            "\(name).isAuthenticationRequired = \(action.action.authenticationRequired)",
            "\(name).isDestructive = \(action.action.destructive)",
        ]
        if let buttonTitle = action.action.buttonTitle {
            let title = SwiftSource.text(buttonTitle, key: action.buttonTitleKey)
            lines += [
                "if #available(iOS 9.0, *) {",
                "    \(name).behavior = .textInput",
                "    \(name).parameters = [\(LegacyCategory.buttonTitleParameter): \(title)]",
                "}",
            ]
        }
        return paragraph(lines)
    }

    private static func swift(_ category: LegacyVariableNames.Category) -> String {
        let name = category.name
        return paragraph(
            [
                "let \(name) = UIMutableUserNotificationCategory()",
                "\(name).identifier = \(SwiftSource.string(category.identifier))",
            ]
                + LegacyCategory.Context.allCases.map { context in
                    "\(name).setActions([\(category.names(in: context))], for: .\(context.name))"
                })
    }

    private static func objectiveC(_ action: LegacyVariableNames.Action) -> String {
        let name = action.name
        let mode =
            switch action.action.activationMode {
            case .foreground: "UIUserNotificationActivationModeForeground"
            case .background: "UIUserNotificationActivationModeBackground"
            }
        var lines = [
            "UIMutableUserNotificationAction *\(name) = [UIMutableUserNotificationAction new];",
            "\(name).identifier = \(ObjectiveCSource.string(action.action.identifier));",
            "\(name).title = \(ObjectiveCSource.text(action.action.title, key: action.titleKey));",
            "\(name).activationMode = \(mode);",
            "\(name).authenticationRequired = \(action.action.authenticationRequired ? "YES" : "NO");",
            "\(name).destructive = \(action.action.destructive ? "YES" : "NO");",
        ]
        if let buttonTitle = action.action.buttonTitle {
            let title = ObjectiveCSource.text(buttonTitle, key: action.buttonTitleKey)
            lines += [
                "if ([\(name) respondsToSelector:@selector(setBehavior:)]) {",
                "    \(name).behavior = UIUserNotificationActionBehaviorTextInput;",
                "    \(name).parameters = @{\(LegacyCategory.buttonTitleParameter): \(title)};",
                "}",
            ]
        }
        return paragraph(lines)
    }

    private static func objectiveC(_ category: LegacyVariableNames.Category) -> String {
        let name = category.name
        return paragraph([
            "UIMutableUserNotificationCategory *\(name) = [UIMutableUserNotificationCategory new];",
            "\(name).identifier = \(ObjectiveCSource.string(category.identifier));",
            "[\(name) setActions:@[\(category.names(in: .default))] "
                + "forContext:UIUserNotificationActionContextDefault];",
            "[\(name) setActions:@[\(category.names(in: .minimal))] "
                + "forContext:UIUserNotificationActionContextMinimal];",
        ])
    }

    private static func paragraph(_ lines: [String]) -> String {
        lines.map { "    \($0)\n" }.joined() + "\n"
    }
}
