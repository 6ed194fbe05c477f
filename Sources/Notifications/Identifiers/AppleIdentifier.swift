import JSON

/// Checks the format of Apple's key and team identifiers.
enum AppleIdentifier {
    static func check(_ text: String) throws(InvalidValue) {
        guard text.utf8.count == 10 else {
            throw InvalidValue("wrong-length", "must be 10 characters long, like ABC123DEFG, not \(text.count)")
        }
        var hasLowerCase = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): continue
            case UInt8(ascii: "a")...UInt8(ascii: "z"): hasLowerCase = true
            default: throw InvalidValue("bad-character", "must consist of the letters A to Z and digits")
            }
        }
        // Apple compares them byte by byte, and all that it issues are upper case.
        if hasLowerCase {
            throw InvalidValue("lower-case", "must be in upper case, as shown on Apple's website")
        }
    }
}
