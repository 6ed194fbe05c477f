/// A category for apps that still run on iOS 8 and 9 (UIMutableUserNotificationCategory, deprecated in iOS 10).
public struct LegacyCategory: Sendable, Equatable {
    public let identifier: String
    /// The actions that are shown in any context.
    public let actions: [Action]

    /// The place that shows the actions (UIUserNotificationActionContext).
    public enum Context: Int, Sendable, CaseIterable {
        /// An alert.
        case `default` = 0
        /// A banner.
        case minimal = 1

        /// The most actions that are shown.
        public var maximumActions: Int {
            switch self {
            case .default: 4
            case .minimal: 2
            }
        }

        var name: String { "\(self)" }
    }

    /// UIMutableUserNotificationAction.
    public struct Action: Sendable, Equatable {
        public let identifier: String
        public let title: LocalizedText
        public let activationMode: ActivationMode
        /// True for each action that opens the app, as iOS ignores the option for these.
        public let authenticationRequired: Bool
        public let destructive: Bool
        /// From iOS 9.
        public let behavior: Behavior
        /// The title of the button beside the text field.
        public let buttonTitle: LocalizedText?
    }

    public enum ActivationMode: Int, Sendable {
        case foreground = 0
        case background = 1
    }

    public enum Behavior: Int, Sendable {
        case `default` = 0
        case textInput = 1
    }

    /// Converts a category. Icons, placeholders of text fields and the category's options have no equivalent.
    public init(_ category: Category) {
        identifier = category.identifier
        actions = category.actions.prefix(Context.default.maximumActions).map(Action.init)
    }

    public func actions(in context: Context) -> [Action] {
        Array(actions.prefix(context.maximumActions))
    }
}

extension LegacyCategory.Action {
    fileprivate init(_ action: Category.Action) {
        identifier = action.identifier
        title = action.title
        activationMode = action.options.contains(.foreground) ? .foreground : .background
        authenticationRequired = !action.options.isDisjoint(with: [.authenticationRequired, .foreground])
        destructive = action.options.contains(.destructive)
        behavior = action.textInput == nil ? .default : .textInput
        buttonTitle = action.textInput?.buttonTitle
    }
}
