public import EventLoop
public import JSON

/// The addresses from which an API key may be used, as they were given; without any, it works everywhere.
public struct AllowedAddresses: Hashable, Sendable {
    public static let maximumCount = 50
    public static let everywhere = AllowedAddresses()

    public let texts: [String]
    private let ranges: [AddressRange]

    private init() {
        texts = []
        ranges = []
    }

    public init(_ texts: [String]) throws(InvalidValue) {
        var ranges: [AddressRange] = []
        for text in texts { ranges.append(try Self.range(text)) }
        self.texts = texts
        self.ranges = ranges
    }

    /// Throws for a text that is neither an address nor a range.
    @discardableResult public static func range(_ text: String) throws(InvalidValue) -> AddressRange {
        guard let range = AddressRange(text) else {
            throw InvalidValue("not-an-address", "must be an IP address or a range, like 10.0.0.0/8")
        }
        return range
    }

    public var isEverywhere: Bool { ranges.isEmpty }

    public func contains(_ address: IPAddress?) -> Bool {
        guard !ranges.isEmpty else { return true }
        return address.map { address in ranges.contains { $0.contains(address) } } ?? false
    }

    /// True if `others` allow every address that these allow.
    public func isWithin(_ others: AllowedAddresses) -> Bool {
        if others.isEverywhere { return true }
        return !isEverywhere && ranges.allSatisfy { range in others.ranges.contains { $0.contains(range) } }
    }
}
