/// A range of IP addresses: one address, or a block in CIDR notation such as "10.0.0.0/8" or "2001:db8::/32".
public struct AddressRange: Hashable, Sendable {
    private let first: IPAddress
    /// The bits of an IPv6 address, or of an IPv4-mapped one, that all addresses of the range share.
    private let bits: Int

    /// Nil if the text is neither. Bits of the address after the prefix are ignored.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        var bits = 128
        if parts.count == 2 {
            let isIPv4 = !parts[0].contains(":")
            guard parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let prefix = Int(parts[1]),
                prefix <= (isIPv4 ? 32 : 128)
            else { return nil }
            bits = isIPv4 ? 96 + prefix : prefix
        }
        self.bits = bits
        first = Self.masked(address, bits)
    }

    public func contains(_ address: IPAddress) -> Bool { Self.masked(address, bits) == first }

    /// Whether all addresses of `other` are in this range.
    public func contains(_ other: AddressRange) -> Bool {
        other.bits >= bits && Self.masked(other.first, bits) == first
    }

    private static func masked(_ address: IPAddress, _ bits: Int) -> IPAddress {
        IPAddress(
            high: address.high & ~(UInt64.max >> UInt64(min(bits, 64))),
            low: address.low & ~(UInt64.max >> UInt64(max(bits - 64, 0))))
    }
}
