/// The names that a certificate is valid for, in OpenSSL's notation: `DNS:localhost,IP:::1`.
struct SubjectAlternativeNames {
    static let maximumCount = 100

    /// Nil without names.
    let value: String?

    /// Accepts only characters of names and addresses, because the notation has separators.
    init(dnsNames: [String], ipAddresses: [String]) throws(CryptoError) {
        guard dnsNames.count + ipAddresses.count <= Self.maximumCount else {
            throw .outOfRange("A certificate can have at most \(Self.maximumCount) names.")
        }
        var entries: [String] = []
        for name in dnsNames {
            // RFC 1035 §3.1: 253 characters when written.
            guard 1...253 ~= name.utf8.count, name.utf8.allSatisfy(Self.isInHostName) else {
                throw .outOfRange("\"\(name)\" is not a DNS name.")
            }
            entries.append("DNS:" + name)
        }
        for address in ipAddresses {
            guard 2...45 ~= address.utf8.count, address.utf8.allSatisfy(Self.isInAddress) else {
                throw .outOfRange("\"\(address)\" is not an IP address.")
            }
            entries.append("IP:" + address)
        }
        value = entries.isEmpty ? nil : entries.joined(separator: ",")
    }

    private static func isInHostName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"): true
        default: false
        }
    }

    private static func isInAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "."): true
        default: false
        }
    }
}
