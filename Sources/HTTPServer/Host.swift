/// The syntax of a Host field: a name or an address, and an optional port (RFC 9110 §7.2, RFC 3986 §3.2.2).
enum Host {
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first else { return false }
        var end = bytes.startIndex
        if first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")), bracket > 2,
                bytes[1..<bracket].allSatisfy({ $0.hexadecimal != nil || $0 == .colon || $0 == UInt8(ascii: ".") })
            else { return false }
            end = bracket + 1
        } else {
            while end < bytes.endIndex, isName(bytes[end]) { end += 1 }
            guard end > bytes.startIndex else { return false }
        }
        guard end < bytes.endIndex else { return true }
        guard bytes[end] == .colon else { return false }
        let port = bytes[(end + 1)...]
        guard port.count <= 5, port.allSatisfy(\.isDigit) else { return false }
        return port.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= Int(UInt16.max)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        if byte.isLetter || byte.isDigit { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): return true
        default: return false
        }
    }
}
