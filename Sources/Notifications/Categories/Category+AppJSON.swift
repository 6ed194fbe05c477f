public import JSON

extension Category {
    /// The members that an app in `locale` needs for its UNNotificationCategory: texts in one language, and options
    /// as the raw values of Apple's option sets together with their names.
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
    /// UNTextInputNotificationAction requires a placeholder: an absent one is empty.
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
