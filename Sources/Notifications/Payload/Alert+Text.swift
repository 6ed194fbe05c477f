public import JSON

extension Alert {
    /// An alert's title or body.
    public enum Text: Sendable, Equatable, ExpressibleByStringLiteral {
        case plain(String)
        /// Live Activities only; other pushes have `titleLocKey` and `locKey` instead.
        case localized(Localization)

        public init(stringLiteral value: String) {
            self = .plain(value)
        }

        var isEmpty: Bool {
            switch self {
            case .plain(let text): text.isEmpty
            case .localized(let localization): localization.locKey?.isEmpty ?? true
            }
        }
    }

    /// A key of the app's `Localizable.strings`; the arguments replace its `%@` in order.
    public struct Localization: Sendable, Equatable {
        public var locKey: String?
        public var locArgs: [String]?
        /// All other keys, unchanged.
        public var other: [JSON.Member]
        private var keyOrder = KeyOrder()

        public init(locKey: String? = nil, locArgs: [String]? = nil, other: [JSON.Member] = []) {
            self.locKey = locKey
            self.locArgs = locArgs
            self.other = other
        }
    }
}

extension Alert.Text {
    init?(_ key: Alert.Key, _ reader: inout ObjectReader) {
        switch reader.take(key) {
        case nil: return nil
        case .string(let text): self = .plain(text)
        case .object(let members): self = .localized(reader.object(key, members) { Alert.Localization(&$0) })
        case .some(let value):
            reader.wrongType(key, "text", value)
            return nil
        }
    }

    var json: JSON {
        switch self {
        case .plain(let text): .string(text)
        case .localized(let localization): localization.json
        }
    }
}

extension Alert.Localization {
    fileprivate init(_ reader: inout ObjectReader) {
        locKey = reader.string(Alert.Key.locKey)
        locArgs = reader.strings(Alert.Key.locArgs)
        other = reader.rest
        keyOrder = reader.keyOrder
    }

    fileprivate var json: JSON {
        var members: [JSON.Member] = []
        members.append(Alert.Key.locKey, locKey.map { .string($0) })
        members.append(Alert.Key.locArgs, locArgs.map { .texts($0) })
        return .object(keyOrder.arranged(members + other))
    }
}

extension JSON {
    static func texts(_ texts: [String]) -> JSON {
        .array(texts.map { .string($0) })
    }
}
