extension Category {
    /// A button (UNNotificationAction), or one that opens a text field (UNTextInputNotificationAction).
    public struct Action: Sendable, Equatable {
        /// Reported in the acknowledgement of a tap. Apple requires it to be unique in the app.
        public var identifier: String
        public var title: LocalizedText
        public var options: Options
        /// From iOS 15.
        public var icon: Icon?
        public var textInput: TextInput?

        public enum Icon: Sendable, Equatable {
            /// A template image in the app's bundle.
            case templateImage(String)
            /// An SF Symbol, like `arrowshape.turn.up.left`.
            case systemImage(String)
        }

        public struct TextInput: Sendable, Equatable {
            public var buttonTitle: LocalizedText
            public var placeholder: LocalizedText?

            public init(buttonTitle: LocalizedText, placeholder: LocalizedText? = nil) {
                self.buttonTitle = buttonTitle
                self.placeholder = placeholder
            }
        }

        public init(
            identifier: String, title: LocalizedText, options: Options = [], icon: Icon? = nil,
            textInput: TextInput? = nil
        ) {
            self.identifier = identifier
            self.title = title
            self.options = options
            self.icon = icon
            self.textInput = textInput
        }
    }
}
