/// A value that may differ by language: a default, and variants by language tag.
public struct Localized<Value: Sendable>: Sendable {
    /// For devices in a language without a variant.
    public var standard: Value
    public var variants: [LocaleTag: Value]

    public init(_ standard: Value, _ variants: [LocaleTag: Value] = [:]) {
        self.standard = standard
        self.variants = variants
    }

    /// The value for a device in `locale`: the best variant by `LocaleTag.best`, or the default.
    public func value(for locale: LocaleTag?) -> Value {
        guard !variants.isEmpty, let tag = locale?.best(among: variants.keys) else { return standard }
        return variants[tag] ?? standard
    }
}

extension Localized: Equatable where Value: Equatable {}
extension Localized: Hashable where Value: Hashable {}

/// A text for people, in the app's languages.
public typealias LocalizedText = Localized<String>

extension LocalizedText: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByStringLiteral
{
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
