public import JSON

extension Category {
    /// What an app in `locale` needs to make its UNNotificationCategory, with nothing left to choose: texts in one
    /// language, options as the integers of Apple's option sets with their names beside them.
    public func appJSON(for locale: LocaleTag?) -> JSON {
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string(identifier))
        members.append(Key.actions, .array(actions.map { $0.appJSON(for: locale) }))
        members.append(Key.intentIdentifiers, .array(intentIdentifiers.map { .string($0) }))
        members.append(Key.hiddenPreviewsBodyPlaceholder, hiddenPreviewsBodyPlaceholder?.json(for: locale))
        members.append(Key.categorySummaryFormat, categorySummaryFormat?.json(for: locale))
        members.append(Key.options, .number(JSON.Number(options.rawValue)))
        members.append(Key.optionNames, options.json)
        return .object(members)
    }
}

extension Category.Action {
    fileprivate func appJSON(for locale: LocaleTag?) -> JSON {
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string(identifier))
        members.append(Key.title, title.json(for: locale))
        members.append(Key.options, .number(JSON.Number(options.rawValue)))
        members.append(Key.optionNames, options.json)
        members.append(Key.icon, icon?.json)
        members.append(Key.textInput, textInput?.appJSON(for: locale))
        return .object(members)
    }
}

extension Category.Action.TextInput {
    /// UNTextInputNotificationAction has no text field without a placeholder: an absent one is empty.
    fileprivate func appJSON(for locale: LocaleTag?) -> JSON {
        var members: [JSON.Member] = []
        members.append(Key.buttonTitle, buttonTitle.json(for: locale))
        members.append(Key.placeholder, placeholder?.json(for: locale) ?? "")
        return .object(members)
    }
}

extension LocalizedText {
    func json(for locale: LocaleTag?) -> JSON {
        .string(value(for: locale))
    }
}
