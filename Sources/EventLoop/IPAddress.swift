import Glibc

/// An IPv4 or IPv6 address without a port. An IPv4 address is stored in its IPv4-mapped form (RFC 4291 §2.5.5.2), so
/// that both forms of it are equal.
public struct IPAddress: Hashable, Sendable {
    /// In the order of the address: the first 64 bits, and the others.
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Nil unless the text is a numeric address, without a port, brackets or a zone.
    public init?(_ text: some StringProtocol) {
        guard let address = SocketAddress(ip: String(text), port: 0)?.ip else { return nil }
        self = address
    }

    public var isIPv4: Bool { high == 0 && low >> 32 == Self.mapped }

    /// The addresses that one client can choose from: a single IPv4 address, or the 64 bits that IPv6 networks give to
    /// a host.
    public var network: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

    /// 32 hexadecimal digits: the same for the same address, and not meant for people.
    public var hexadecimal: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    static let mapped: UInt64 = 0xFFFF
}

extension SocketAddress {
    /// Nil for a unix address.
    public var ip: IPAddress? {
        withBytes { bytes in
            switch family {
            case AF_INET:
                let four = bytes.load(as: sockaddr_in.self).sin_addr.s_addr
                return IPAddress(high: 0, low: IPAddress.mapped << 32 | UInt64(UInt32(bigEndian: four)))
            case AF_INET6:
                let six = bytes.load(as: sockaddr_in6.self).sin6_addr
                return withUnsafeBytes(of: six) { six in
                    IPAddress(
                        high: UInt64(bigEndian: six.loadUnaligned(as: UInt64.self)),
                        low: UInt64(bigEndian: six.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
                }
            default: return nil
            }
        }
    }

    /// This address as IPv4 if it is an IPv4-mapped one, which a listener on "::" sees for clients that use IPv4.
    public var unmapped: SocketAddress {
        guard family == AF_INET6, let ip, ip.isIPv4, let port else { return self }
        let text = (0..<4).map { String(ip.low >> (24 - 8 * UInt64($0)) & 0xFF) }.joined(separator: ".")
        return SocketAddress(ip: text, port: port) ?? self
    }
}
