import EventLoop
import Glibc

/// Which addresses on the web anybody can reach. Whoever may name an address must not make this server knock at doors
/// behind it: its own, its network's, or a cloud's.
enum PublicAddress {
    /// The rule by which an address is none, in words; nil for a public one. After IANA's registries of special-purpose
    /// addresses (RFC 6890).
    static func refusal(of address: SocketAddress) -> String? {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, address.host, &four) == 1 {
            return refusal(four: withUnsafeBytes(of: four) { Array($0) })
        }
        if inet_pton(AF_INET6, address.host, &six) == 1 {
            return refusal(six: withUnsafeBytes(of: six) { Array($0) })
        }
        return "not an internet address"
    }

    private struct Block {
        let start: [UInt8]
        let bits: Int
        let words: String

        func contains(_ address: [UInt8]) -> Bool {
            (0..<bits).allSatisfy { bit in
                let mask = UInt8(0x80) >> UInt8(bit % 8)
                return address[bit / 8] & mask == (bit / 8 < start.count ? start[bit / 8] : 0) & mask
            }
        }
    }

    private static let four = [
        Block(start: [0], bits: 8, words: "0.0.0.0/8, this network"),
        Block(start: [10], bits: 8, words: "10.0.0.0/8, a private network"),
        Block(start: [100, 64], bits: 10, words: "100.64.0.0/10, shared by a provider's customers"),
        Block(start: [127], bits: 8, words: "127.0.0.0/8, this machine itself"),
        Block(start: [169, 254], bits: 16, words: "169.254.0.0/16, this link only"),
        Block(start: [172, 16], bits: 12, words: "172.16.0.0/12, a private network"),
        Block(start: [192, 0, 0], bits: 24, words: "192.0.0.0/24, for protocols"),
        Block(start: [192, 0, 2], bits: 24, words: "192.0.2.0/24, for examples"),
        Block(start: [192, 88, 99], bits: 24, words: "192.88.99.0/24, former 6to4 relays"),
        Block(start: [192, 168], bits: 16, words: "192.168.0.0/16, a private network"),
        Block(start: [198, 18], bits: 15, words: "198.18.0.0/15, for measurements"),
        Block(start: [198, 51, 100], bits: 24, words: "198.51.100.0/24, for examples"),
        Block(start: [203, 0, 113], bits: 24, words: "203.0.113.0/24, for examples"),
        Block(start: [224], bits: 3, words: "224.0.0.0/3, for groups or reserved"),
    ]

    /// Inside of what is handed out at all.
    private static let six = [
        Block(start: [0x20, 0x01, 0x00], bits: 23, words: "2001::/23, for protocols and tunnels"),
        Block(start: [0x20, 0x01, 0x0D, 0xB8], bits: 32, words: "2001:db8::/32, for examples"),
        Block(start: [0x20, 0x02], bits: 16, words: "2002::/16, 6to4 tunnels"),
        Block(start: [0x3F, 0xFF, 0x00], bits: 20, words: "3fff::/20, for examples"),
    ]
    private static let unicast = Block(start: [0x20], bits: 3, words: "")

    private static func refusal(four address: [UInt8]) -> String? {
        four.first { $0.contains(address) }?.words
    }

    private static func refusal(six address: [UInt8]) -> String? {
        guard unicast.contains(address) else { return "outside of 2000::/3, the public addresses of IPv6" }
        return six.first { $0.contains(address) }?.words
    }
}
