import JSON

extension Category {
    /// Settings of the app's custom interface for these notifications, from the Info.plist of its content extension.
    public struct ContentExtension: Sendable, Equatable {
        /// Height divided by width of the space that iOS reserves until the extension has drawn.
        public var initialContentSizeRatio: Double
        /// Whether the default title and body below it are hidden.
        public var defaultContentHidden: Bool
        /// Whether the extension's title replaces the app's name.
        public var overridesDefaultTitle: Bool
        /// Whether it receives touches (iOS 12).
        public var userInteractionEnabled: Bool

        /// Apple documents no limits; outside these, a device can't show it.
        public static let sizeRatios = 0.01...10.0

        public init(
            initialContentSizeRatio: Double, defaultContentHidden: Bool = false, overridesDefaultTitle: Bool = false,
            userInteractionEnabled: Bool = false
        ) {
            self.initialContentSizeRatio = initialContentSizeRatio
            self.defaultContentHidden = defaultContentHidden
            self.overridesDefaultTitle = overridesDefaultTitle
            self.userInteractionEnabled = userInteractionEnabled
        }
    }
}

extension Category.ContentExtension {
    private enum Key: String, MemberName {
        case initialContentSizeRatio = "initial_content_size_ratio"
        case defaultContentHidden = "default_content_hidden"
        case overridesDefaultTitle = "overrides_default_title"
        case userInteractionEnabled = "user_interaction_enabled"
    }

    init(_ reader: inout ObjectReader) {
        reader.require(Key.initialContentSizeRatio)
        self.init(initialContentSizeRatio: reader.double(Key.initialContentSizeRatio, in: Self.sizeRatios) ?? 1)
        defaultContentHidden = reader.bool(Key.defaultContentHidden) ?? false
        overridesDefaultTitle = reader.bool(Key.overridesDefaultTitle) ?? false
        userInteractionEnabled = reader.bool(Key.userInteractionEnabled) ?? false
    }

    var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.initialContentSizeRatio, .number(JSON.Number(shortest: initialContentSizeRatio)))
        members.append(Key.defaultContentHidden, .bool(defaultContentHidden))
        members.append(Key.overridesDefaultTitle, .bool(overridesDefaultTitle))
        members.append(Key.userInteractionEnabled, .bool(userInteractionEnabled))
        return .object(members)
    }
}
