/// Generates source for an app's categories. Texts in several languages are looked up in the app's
/// `Localizable.strings`, whose lines `strings` generates; languages without a translation get the default text.
public enum CategorySource {
    public static func swift(_ categories: [Category]) -> String {
        """
        import UserNotifications

        /// Registers the notification categories and replaces those registered before. Call it at each launch.
        /// \(systemNote(categories))
        func registerNotificationCategories() {
            UNUserNotificationCenter.current().setNotificationCategories(\
        \(SwiftSource.value(.calls(categories.map(\.sourceCall)), SwiftSource.step)))
        }

        """
    }

    public static func objectiveC(_ categories: [Category]) -> String {
        """
        #import <UserNotifications/UserNotifications.h>

        /// Registers the notification categories and replaces those registered before. Call it at each launch.
        /// \(systemNote(categories))
        static void RegisterNotificationCategories(void) {
            NSArray<UNNotificationCategory *> *categories = \
        \(ObjectiveCSource.value(.calls(categories.map(\.sourceCall)), ObjectiveCSource.step));
            [UNUserNotificationCenter.currentNotificationCenter
                setNotificationCategories:[NSSet setWithArray:categories]];
        }

        """
    }

    /// The lines of `Localizable.strings` for one language: every text with translations, as a device in `locale`
    /// shows it, because iOS looks up no other file.
    public static func strings(_ categories: [Category], for locale: LocaleTag) -> String {
        categories.flatMap(\.localizedTexts).map { key, text in
            "\(SourceLiteral.strings(key)) = \(SourceLiteral.strings(text.value(for: locale)));\n"
        }.joined()
    }

    /// The lowest system with the initialisers that the categories need.
    private static func systemNote(_ categories: [Category]) -> String {
        if categories.contains(where: { $0.actions.contains { $0.icon != nil } }) { return "Icons need iOS 15." }
        if categories.contains(where: { $0.categorySummaryFormat != nil }) { return "Summary formats need iOS 12." }
        if categories.contains(where: { $0.hiddenPreviewsBodyPlaceholder != nil }) {
            return "Placeholders for hidden previews need iOS 11."
        }
        return "Needs iOS 10."
    }
}

extension Category {
    var sourceCall: SourceCall {
        var arguments: [(label: String, value: SourceValue)] = [
            ("identifier", .string(identifier)),
            ("actions", .calls(actions.map { $0.sourceCall(in: self) })),
            ("intentIdentifiers", .strings(intentIdentifiers)),
        ]
        if hiddenPreviewsBodyPlaceholder != nil || categorySummaryFormat != nil {
            arguments.append(
                ("hiddenPreviewsBodyPlaceholder", value(hiddenPreviewsBodyPlaceholder, .hiddenPreviewsBodyPlaceholder)))
        }
        if categorySummaryFormat != nil {
            arguments.append(("categorySummaryFormat", value(categorySummaryFormat, .categorySummaryFormat)))
        }
        arguments.append(("options", .options(options.sourceNames, prefix: "UNNotificationCategoryOption")))
        return SourceCall(type: "UNNotificationCategory", factory: "category", arguments: arguments)
    }

    private func value(_ text: LocalizedText?, _ key: Key) -> SourceValue {
        text.map { .text($0, key: self.key(key.rawValue)) } ?? .absent
    }

    /// The key of a text of this category in `Localizable.strings`. Slashes in identifiers are escaped, which makes
    /// the keys unique.
    func key(_ parts: String...) -> String {
        (["notification", identifier] + parts)
            .map { $0.replacing("%", with: "%25").replacing("/", with: "%2F") }
            .joined(separator: "/")
    }

    /// The texts with translations, with their keys.
    fileprivate var localizedTexts: [(key: String, text: LocalizedText)] {
        var texts: [(String, LocalizedText?)] = [
            (key(Key.hiddenPreviewsBodyPlaceholder.rawValue), hiddenPreviewsBodyPlaceholder),
            (key(Key.categorySummaryFormat.rawValue), categorySummaryFormat),
        ]
        for action in actions {
            texts.append((action.titleKey(in: self), action.title))
            texts.append((action.buttonTitleKey(in: self), action.textInput?.buttonTitle))
            texts.append((action.placeholderKey(in: self), action.textInput?.placeholder))
        }
        return texts.compactMap { key, text in
            text.flatMap { $0.variants.isEmpty ? nil : (key, $0) }
        }
    }
}

extension Category.Action {
    fileprivate func sourceCall(in category: Category) -> SourceCall {
        var arguments: [(label: String, value: SourceValue)] = [
            ("identifier", .string(identifier)),
            ("title", .text(title, key: titleKey(in: category))),
            ("options", .options(options.sourceNames, prefix: "UNNotificationActionOption")),
        ]
        if let icon { arguments.append(("icon", .call(icon.sourceCall))) }
        guard let textInput else {
            return SourceCall(type: "UNNotificationAction", factory: "action", arguments: arguments)
        }
        arguments.append(
            ("textInputButtonTitle", .text(textInput.buttonTitle, key: buttonTitleKey(in: category))))
        arguments.append(
            ("textInputPlaceholder", .text(textInput.placeholder ?? "", key: placeholderKey(in: category))))
        return SourceCall(type: "UNTextInputNotificationAction", factory: "action", arguments: arguments)
    }

    func titleKey(in category: Category) -> String {
        category.key(identifier, Key.title.rawValue)
    }

    func buttonTitleKey(in category: Category) -> String {
        category.key(identifier, TextInput.Key.buttonTitle.rawValue)
    }

    fileprivate func placeholderKey(in category: Category) -> String {
        category.key(identifier, TextInput.Key.placeholder.rawValue)
    }
}

extension Category.Action.Icon {
    fileprivate var sourceCall: SourceCall {
        let argument: (label: String, value: SourceValue) =
            switch self {
            case .templateImage(let name): ("templateImageName", .string(name))
            case .systemImage(let name): ("systemImageName", .string(name))
            }
        return SourceCall(type: "UNNotificationActionIcon", factory: "icon", arguments: [argument])
    }
}
