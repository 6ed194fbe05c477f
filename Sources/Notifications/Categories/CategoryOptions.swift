import JSON

extension Category {
    /// UNNotificationCategoryOptions, with the same bits.
    public struct Options: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The app is notified when a person dismisses the notification.
        public static let customDismissAction = Options(rawValue: 1 << 0)
        public static let allowInCarPlay = Options(rawValue: 1 << 1)
        public static let hiddenPreviewsShowTitle = Options(rawValue: 1 << 2)
        public static let hiddenPreviewsShowSubtitle = Options(rawValue: 1 << 3)
        /// Ignored since iOS 15.
        public static let allowAnnouncement = Options(rawValue: 1 << 4)
    }
}

extension Category.Action {
    /// UNNotificationActionOptions, with the same bits. Without options, the app handles the tap in the background.
    public struct Options: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Only while the device is unlocked.
        public static let authenticationRequired = Options(rawValue: 1 << 0)
        public static let destructive = Options(rawValue: 1 << 1)
        /// Opens the app.
        public static let foreground = Options(rawValue: 1 << 2)
    }
}

/// Options with Apple's Swift names in source, and with names in snake_case in JSON.
protocol NamedOptions: OptionSet where Element == Self, RawValue == Int {
    static var named: [(name: String, sourceName: String, option: Self)] { get }
}

extension NamedOptions {
    /// In the order of their bits.
    var names: [String] { Self.named.filter { contains($0.option) }.map(\.name) }
    var sourceNames: [String] { Self.named.filter { contains($0.option) }.map(\.sourceName) }

    var json: JSON {
        .array(names.map { .string($0) })
    }
}

extension Category.Options: NamedOptions {
    static let named: [(name: String, sourceName: String, option: Self)] = [
        ("custom_dismiss_action", "customDismissAction", .customDismissAction),
        ("allow_in_car_play", "allowInCarPlay", .allowInCarPlay),
        ("hidden_previews_show_title", "hiddenPreviewsShowTitle", .hiddenPreviewsShowTitle),
        ("hidden_previews_show_subtitle", "hiddenPreviewsShowSubtitle", .hiddenPreviewsShowSubtitle),
        ("allow_announcement", "allowAnnouncement", .allowAnnouncement),
    ]
}

extension Category.Action.Options: NamedOptions {
    static let named: [(name: String, sourceName: String, option: Self)] = [
        ("authentication_required", "authenticationRequired", .authenticationRequired),
        ("destructive", "destructive", .destructive), ("foreground", "foreground", .foreground),
    ]
}

extension ObjectReader {
    /// Reads a list of names; duplicates are allowed. Stored categories and older clients have Apple's names.
    mutating func options<Options: NamedOptions>(_ key: some MemberName) -> Options {
        let options = values(key) { (text: String) throws(InvalidValue) -> Options in
            guard let known = Options.named.first(where: { $0.name == text || $0.sourceName == text }) else {
                let names = Options.named.map(\.name).joined(separator: ", ")
                throw InvalidValue("unknown-value", "must be one of \(names), not \(JSON.string(text).summary)")
            }
            return known.option
        }
        return Options(options ?? [])
    }
}
