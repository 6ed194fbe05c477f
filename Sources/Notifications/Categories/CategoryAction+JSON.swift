import JSON

extension Category.Action {
    enum Key: String, MemberName {
        case identifier
        case title
        case options
        case optionNames = "option_names"
        case icon
        case textInput = "text_input"
    }

    /// The prefix of iOS's own identifiers for a tap on the notification and for its dismissal.
    private static let reservedPrefix = "com.apple.UNNotification"

    init(_ reader: inout ObjectReader) {
        reader.require(Key.identifier, Key.title)
        self.init(
            identifier: reader.value(Key.identifier, Self.check) ?? "", title: reader.localizedText(Key.title) ?? "")
        options = reader.options(Key.options)
        icon = reader.closedObject(Key.icon) { Icon(&$0) } ?? nil
        textInput = reader.closedObject(Key.textInput) { TextInput(&$0) }
    }

    private static func check(_ identifier: String) throws(InvalidValue) -> String {
        guard !identifier.hasPrefix(reservedPrefix) else {
            throw InvalidValue("reserved", "must not begin with \(reservedPrefix), which Apple reserves")
        }
        return try ClientIdentifier.check(identifier)
    }

    var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string(identifier))
        members.append(Key.title, title.json)
        members.append(Key.options, options.json)
        members.append(Key.icon, icon?.json)
        members.append(Key.textInput, textInput?.json)
        return .object(members)
    }
}

extension Category.Action.Icon {
    enum Key: String, MemberName {
        case templateImage = "template_image_name"
        case systemImage = "system_image_name"
    }

    fileprivate init?(_ reader: inout ObjectReader) {
        let templateImage = reader.value(Key.templateImage, ClientIdentifier.check)
        let systemImage = reader.value(Key.systemImage, ClientIdentifier.check)
        switch (templateImage, systemImage) {
        case (let name?, nil): self = .templateImage(name)
        case (nil, let name?): self = .systemImage(name)
        case (nil, nil):
            // An invalid name has already added a problem.
            if reader.problems.isEmpty {
                reader.refuse(
                    Key.systemImage, "missing",
                    "is required, unless \(Key.templateImage.rawValue) names an image of the app")
            }
            return nil
        case (_?, _?):
            reader.refuse(
                Key.templateImage, "duplicate-icon",
                "can't be combined with \(Key.systemImage.rawValue): an action has one icon")
            return nil
        }
    }

    var json: JSON {
        switch self {
        case .templateImage(let name): .object([JSON.Member(Key.templateImage.rawValue, .string(name))])
        case .systemImage(let name): .object([JSON.Member(Key.systemImage.rawValue, .string(name))])
        }
    }
}

extension Category.Action.TextInput {
    enum Key: String, MemberName {
        case buttonTitle = "button_title"
        case placeholder
    }

    fileprivate init(_ reader: inout ObjectReader) {
        reader.require(Key.buttonTitle)
        buttonTitle = reader.localizedText(Key.buttonTitle) ?? ""
        placeholder = reader.localizedText(Key.placeholder)
    }

    fileprivate var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.buttonTitle, buttonTitle.json)
        members.append(Key.placeholder, placeholder?.json)
        return .object(members)
    }
}
