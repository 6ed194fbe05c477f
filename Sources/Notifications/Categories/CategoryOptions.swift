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

/// Options that are identified by Apple's Swift names in JSON and source.
protocol NamedOptions: OptionSet where Element == Self, RawValue == Int {
    static var named: [(name: String, option: Self)] { get }
}

extension NamedOptions {
    /// In the order of their bits.
    var names: [String] {
        Self.named.filter { contains($0.option) }.map(\.name)
    }

    var json: JSON {
        .array(names.map { .string($0) })
    }
}

extension Category.Options: NamedOptions {
    static let named: [(name: String, option: Self)] = [
        ("customDismissAction", .customDismissAction), ("allowInCarPlay", .allowInCarPlay),
        ("hiddenPreviewsShowTitle", .hiddenPreviewsShowTitle),
        ("hiddenPreviewsShowSubtitle", .hiddenPreviewsShowSubtitle), ("allowAnnouncement", .allowAnnouncement),
    ]
}

extension Category.Action.Options: NamedOptions {
    static let named: [(name: String, option: Self)] = [
        ("authenticationRequired", .authenticationRequired), ("destructive", .destructive),
        ("foreground", .foreground),
    ]
}

extension ObjectReader {
    /// Reads a list of names; duplicates are allowed.
    mutating func options<Options: NamedOptions>(_ key: some MemberName) -> Options {
        let options = values(key) { (text: String) throws(InvalidValue) -> Options in
            guard let known = Options.named.first(where: { $0.name == text }) else {
                let names = Options.named.map(\.name).joined(separator: ", ")
                throw InvalidValue("unknown-value", "must be one of \(names), not \(JSON.string(text).summary)")
            }
            return known.option
        }
        return Options(options ?? [])
    }
}
