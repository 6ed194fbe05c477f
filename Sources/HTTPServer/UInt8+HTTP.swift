/// The classes of bytes in HTTP's grammar (RFC 9110 §5.5 and §5.6, RFC 3986 §2).
extension UInt8 {
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let colon = UInt8(ascii: ":")
    static let slash = UInt8(ascii: "/")

    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    var isBlank: Bool { self == .space || self == .tab }
    /// Visible ASCII.
    var isVisible: Bool { self &- 0x21 < 0x5e }
    /// Whether a field value may contain the byte: visible bytes, blanks and, for compatibility, bytes above 127.
    var isFieldValue: Bool { self >= 0x20 && self != 0x7f || self == .tab }

    var isToken: Bool {
        if isLetter || isDigit { return true }
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            return true
        default: return false
        }
    }

    var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }

    /// The value of a hexadecimal digit.
    var hexadecimal: UInt8? {
        if isDigit { return self - UInt8(ascii: "0") }
        let letter = lowercased &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
