/// The answer of `GET …/categories/registration`.
public struct CategoryList: Codable, Equatable, Sendable {
    /// All that the app registers, in one language.
    public let categories: [NotificationCategory]
    /// Categories that this version of the kit can't read. They are left out.
    public let unreadableCount: Int

    let json: JSONValue
}

extension CategoryList: ServerValue {
    init?(_ json: JSONValue) {
        guard let elements = json["categories"]?.array else { return nil }
        categories = elements.compactMap(NotificationCategory.init)
        unreadableCount = elements.count - categories.count
        self.json = json
    }
}

extension NotificationCategory: ServerValue {
    /// A category without one of its buttons would mislead, so it is read with all of them or not at all.
    init?(_ json: JSONValue) {
        guard let identifier = json["identifier"]?.string, let elements = json["actions"]?.array,
            let intents = json["intent_identifiers"]?.array, let options = json["options"]?.options
        else { return nil }
        self.identifier = identifier
        actions = elements.compactMap(Action.init)
        guard actions.count == elements.count else { return nil }
        intentIdentifiers = intents.compactMap(\.string)
        hiddenPreviewsBodyPlaceholder = json["hidden_previews_body_placeholder"]?.string
        categorySummaryFormat = json["category_summary_format"]?.string
        self.options = options
        self.json = json
    }
}

extension NotificationCategory.Action {
    fileprivate init?(_ json: JSONValue) {
        guard let identifier = json["identifier"]?.string, let title = json["title"]?.string,
            let options = json["options"]?.options
        else { return nil }
        self.identifier = identifier
        self.title = title
        self.options = options
        icon = json["icon"]?.object.map {
            NotificationCategory.Icon(
                systemImageName: $0["system_image_name"]?.string, templateImageName: $0["template_image_name"]?.string)
        }
        textInput = json["text_input"].flatMap(NotificationCategory.TextInput.init)
    }
}

extension NotificationCategory.TextInput {
    fileprivate init?(_ json: JSONValue) {
        guard let buttonTitle = json["button_title"]?.string, let placeholder = json["placeholder"]?.string else {
            return nil
        }
        self.buttonTitle = buttonTitle
        self.placeholder = placeholder
    }
}

extension JSONValue {
    /// A set of options, as Apple numbers them.
    fileprivate var options: UInt? { integer.flatMap(UInt.init(exactly:)) }
}
