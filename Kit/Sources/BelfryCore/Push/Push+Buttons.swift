import Foundation

extension Push {
    /// A button that a marketer has typed for this push. A service extension registers it before the push is shown.
    public struct Button: Sendable {
        /// The name by which events report the button: 1 to 64 characters, each once in a push.
        public let id: String
        /// The text on the button, never empty.
        public let title: String
        /// The place that the app opens when the button is pressed; nil: the app stays in the background.
        public let link: URL?
        /// True if iOS shows the button in red.
        public let isDestructive: Bool
    }

    /// Buttons of a push. iOS shows no more, and two in a banner.
    public static let maximumButtons = 4
    /// Characters of a button's `id`.
    public static let maximumButtonIDLength = 64
    /// The member beside `aps` that has the buttons.
    static let buttonsKey = "belfry-buttons"

    /// The buttons that were typed for this push, in their order. Empty if there are none, if they can't be read, and if
    /// the push names a category, whose buttons are shown instead. Without a service extension none are shown.
    public var buttons: [Button] { readButtons().buttons }

    /// The link of the button with this identifier, which a `UNNotificationResponse` has as its `actionIdentifier`; nil
    /// if there is none, as for a tap on the notification itself.
    public func link(for actionIdentifier: String) -> URL? { buttons.first { $0.id == actionIdentifier }?.link }

    /// `fault` is why buttons that are there are not shown.
    package func readButtons() -> (buttons: [Button], fault: Diagnostic?) {
        guard let value = custom[Self.buttonsKey] else { return ([], nil) }
        if let category, !category.isEmpty {
            let message = "The push has buttons and a category. The buttons of the category are shown."
            return ([], Diagnostic(.warning, "buttons", message))
        }
        // A push without one of its buttons would mislead, so it has all of them or none.
        var buttons: [Button] = []
        for element in value.array ?? [] {
            guard let button = Button(element), !buttons.contains(where: { $0.id == button.id }) else {
                return ([], Self.unreadableButtons)
            }
            buttons.append(button)
        }
        return 1...Self.maximumButtons ~= buttons.count ? (buttons, nil) : ([], Self.unreadableButtons)
    }

    private static var unreadableButtons: Diagnostic {
        Diagnostic(
            .unreadable, "buttons",
            "The push is shown without its buttons: there must be 1 to 4, each with an id of its own (1 to 64 characters), "
                + "a title, and a link with a scheme or none.")
    }
}

extension Push.Button {
    fileprivate init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, 1...Push.maximumButtonIDLength ~= id.count,
            let title = json["title"]?.string, !title.isEmpty
        else { return nil }
        self.id = id
        self.title = title
        switch json["link"] {
        case nil, .null: link = nil
        case .string(let text):
            guard let url = URL(string: text), url.scheme != nil else { return nil }
            link = url
        default: return nil
        }
        switch json["destructive"] {
        case nil, .null: isDestructive = false
        case .bool(let value): isDestructive = value
        default: return nil
        }
    }
}
