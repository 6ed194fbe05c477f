import EventLoop
import Glibc

/// Decides whether an IP address is public. URLs from users must not make this server connect to itself, its own
/// network or a cloud's metadata service (SSRF).
enum PublicAddress {
    /// Returns the rule that excludes an address; nil for a public address. Based on IANA's registries of
    /// special-purpose addresses (RFC 6890).
    static func restriction(of address: SocketAddress) -> String? {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, address.host, &four) == 1 {
            return restriction(four: withUnsafeBytes(of: four) { Array($0) })
        }
        if inet_pton(AF_INET6, address.host, &six) == 1 {
            return restriction(six: withUnsafeBytes(of: six) { Array($0) })
        }
        return "not an IP address"
    }

    private struct Block {
        let start: [UInt8]
        let bits: Int
        let rule: String

        func contains(_ address: [UInt8]) -> Bool {
            (0..<bits).allSatisfy { bit in
                let mask = UInt8(0x80) >> UInt8(bit % 8)
                return address[bit / 8] & mask == (bit / 8 < start.count ? start[bit / 8] : 0) & mask
            }
        }
    }

    private static let four = [
        Block(start: [0], bits: 8, rule: "0.0.0.0/8, this network"),
        Block(start: [10], bits: 8, rule: "10.0.0.0/8, a private network"),
        Block(start: [100, 64], bits: 10, rule: "100.64.0.0/10, shared address space"),
        Block(start: [127], bits: 8, rule: "127.0.0.0/8, this machine"),
        Block(start: [169, 254], bits: 16, rule: "169.254.0.0/16, link-local"),
        Block(start: [172, 16], bits: 12, rule: "172.16.0.0/12, a private network"),
        Block(start: [192, 0, 0], bits: 24, rule: "192.0.0.0/24, protocol assignments"),
        Block(start: [192, 0, 2], bits: 24, rule: "192.0.2.0/24, documentation"),
        Block(start: [192, 88, 99], bits: 24, rule: "192.88.99.0/24, former 6to4 relays"),
        Block(start: [192, 168], bits: 16, rule: "192.168.0.0/16, a private network"),
        Block(start: [198, 18], bits: 15, rule: "198.18.0.0/15, benchmarking"),
        Block(start: [198, 51, 100], bits: 24, rule: "198.51.100.0/24, documentation"),
        Block(start: [203, 0, 113], bits: 24, rule: "203.0.113.0/24, documentation"),
        Block(start: [224], bits: 3, rule: "224.0.0.0/3, multicast or reserved"),
    ]

    /// Excluded blocks within 2000::/3, the only block in which addresses are allocated.
    private static let six = [
        Block(start: [0x20, 0x01, 0x00], bits: 23, rule: "2001::/23, protocol assignments and tunnels"),
        Block(start: [0x20, 0x01, 0x0D, 0xB8], bits: 32, rule: "2001:db8::/32, documentation"),
        Block(start: [0x20, 0x02], bits: 16, rule: "2002::/16, 6to4 tunnels"),
        Block(start: [0x3F, 0xFF, 0x00], bits: 20, rule: "3fff::/20, documentation"),
    ]
    private static let unicast = Block(start: [0x20], bits: 3, rule: "")

    private static func restriction(four address: [UInt8]) -> String? {
        four.first { $0.contains(address) }?.rule
    }

    private static func restriction(six address: [UInt8]) -> String? {
        guard unicast.contains(address) else { return "outside 2000::/3, the public IPv6 addresses" }
        return six.first { $0.contains(address) }?.rule
    }
}
