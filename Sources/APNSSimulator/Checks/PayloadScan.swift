/// What a push's body says, found by one walk over its JSON (RFC 8259) that builds nothing. Made
/// apart from the sender's own rules: shared ones would hide shared mistakes.
struct PayloadScan {
    enum Kind { case string, number, boolean, null, array, dictionary }

    /// Containers inside each other.
    static let deepest = 64

    private(set) var aps: Kind?
    private(set) var badge: Kind?
    private(set) var hasVisiblePart = false
    /// Where the value of the wanted top-level key stands, without quotes, if it is a string.
    private(set) var wantedString: Range<Int>?

    private let bytes: UnsafeRawBufferPointer
    private let wantedKey: [UInt8]
    private var place = 0

    /// Nil when the body is not one JSON dictionary in UTF-8.
    init?(_ bytes: UnsafeRawBufferPointer, wantedKey: [UInt8] = []) {
        self.bytes = bytes
        self.wantedKey = wantedKey
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        skipSpace()
        guard peek == UInt8(ascii: "{"), value(depth: 0, isAps: false) != nil else { return nil }
        skipSpace()
        guard place == bytes.count else { return nil }
    }

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { place += 1 }
    }

    private mutating func take(_ character: UInt8) -> Bool {
        guard peek == character else { return false }
        place += 1
        return true
    }

    /// Walks over one value and says what it is; nil when it is not JSON.
    private mutating func value(depth: Int, isAps: Bool) -> Kind? {
        guard depth <= Self.deepest, let byte = peek else { return nil }
        switch byte {
        case UInt8(ascii: "{"): return dictionary(depth: depth, isAps: isAps) ? .dictionary : nil
        case UInt8(ascii: "["): return array(depth: depth) ? .array : nil
        case UInt8(ascii: "\""): return string() == nil ? nil : .string
        case UInt8(ascii: "t"): return word("true") ? .boolean : nil
        case UInt8(ascii: "f"): return word("false") ? .boolean : nil
        case UInt8(ascii: "n"): return word("null") ? .null : nil
        default: return number() ? .number : nil
        }
    }

    private mutating func dictionary(depth: Int, isAps: Bool) -> Bool {
        place += 1
        skipSpace()
        if take(UInt8(ascii: "}")) { return true }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\""), let key = string() else { return false }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { return false }
            skipSpace()
            let start = place
            let opensAps = depth == 0 && isText(key, "aps")
            guard let kind = value(depth: depth + 1, isAps: opensAps) else { return false }
            if depth == 0 { noteTopLevel(key, kind, start, isAps: opensAps) }
            if isAps { noteAps(key, kind) }
            skipSpace()
            if take(UInt8(ascii: "}")) { return true }
            guard take(UInt8(ascii: ",")) else { return false }
        }
    }

    private mutating func noteTopLevel(_ key: Range<Int>, _ kind: Kind, _ start: Int, isAps: Bool) {
        if isAps { aps = kind }
        if kind == .string, bytes[key].elementsEqual(wantedKey) { wantedString = start + 1..<place - 1 }
    }

    private mutating func noteAps(_ key: Range<Int>, _ kind: Kind) {
        if isText(key, "badge") { badge = kind }
        if isText(key, "alert") || isText(key, "badge") || isText(key, "sound") { hasVisiblePart = true }
    }

    private mutating func array(depth: Int) -> Bool {
        place += 1
        skipSpace()
        if take(UInt8(ascii: "]")) { return true }
        while true {
            skipSpace()
            guard value(depth: depth + 1, isAps: false) != nil else { return false }
            skipSpace()
            if take(UInt8(ascii: "]")) { return true }
            guard take(UInt8(ascii: ",")) else { return false }
        }
    }

    /// Walks over a string and gives what stands between its quotes.
    private mutating func string() -> Range<Int>? {
        place += 1
        let start = place
        while let byte = peek {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return start..<place - 1
            case UInt8(ascii: "\\"):
                guard escape() else { return nil }
            case 0..<0x20: return nil
            default: continue
            }
        }
        return nil
    }

    private mutating func escape() -> Bool {
        guard let byte = peek else { return false }
        place += 1
        guard byte == UInt8(ascii: "u") else { return #""\/bfnrt"#.utf8.contains(byte) }
        for _ in 0..<4 {
            guard let digit = peek, HexDigit.value(of: digit) != nil else { return false }
            place += 1
        }
        return true
    }

    private mutating func number() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) {
            guard digits() else { return false }
        }
        if take(UInt8(ascii: ".")) {
            guard digits() else { return false }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = place
        while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { place += 1 }
        return place > start
    }

    private mutating func word(_ text: StaticString) -> Bool {
        let end = place + text.utf8CodeUnitCount
        guard end <= bytes.count, isText(place..<end, text) else { return false }
        place = end
        return true
    }

    private func isText(_ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes[range].elementsEqual($0) }
    }
}
