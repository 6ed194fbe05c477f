/// A row's number, typed by what it numbers: a campaign's id cannot be passed for a run's.
public struct Identifier<Of>: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: Int64

    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Ids are text in JSON, since a number there holds 53 bits only. Nil for anything but the
    /// plain decimal form of a positive number.
    public init?(_ text: some StringProtocol) {
        guard let value = Int64(text), value > 0, String(value) == text else { return nil }
        rawValue = value
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    public var description: String { String(rawValue) }
}
