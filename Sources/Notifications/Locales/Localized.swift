/// Something that may differ by language: a default, and variants by tag.
public struct Localized<Value: Sendable>: Sendable {
    /// For phones in a language that no variant covers.
    public var standard: Value
    public var variants: [LocaleTag: Value]

    public init(_ standard: Value, _ variants: [LocaleTag: Value] = [:]) {
        self.standard = standard
        self.variants = variants
    }

    /// What a phone in `locale` sees: the variant under the first of `LocaleTag.fallback` that has one, else the default.
    public func value(for locale: LocaleTag?) -> Value {
        guard !variants.isEmpty, let tag = locale?.fallback.first(where: { variants[$0] != nil }) else {
            return standard
        }
        return variants[tag] ?? standard
    }
}

extension Localized: Equatable where Value: Equatable {}
extension Localized: Hashable where Value: Hashable {}

/// A text that people see, in the app's languages.
public typealias LocalizedText = Localized<String>

extension LocalizedText: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByStringLiteral
{
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
