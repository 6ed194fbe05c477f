/// Steps over the parts of a JSON text (RFC 8259) in place and builds nothing.
struct JSONScanner {
    enum Kind { case string, number, boolean, null, array, dictionary }

    let bytes: UnsafeRawBufferPointer
    private(set) var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { place += 1 }
    }

    mutating func take(_ character: UInt8) -> Bool {
        guard peek == character else { return false }
        place += 1
        return true
    }

    /// Steps over a value that is neither a dictionary nor an array; nil when it is not JSON.
    mutating func scalar() -> Kind? {
        switch peek {
        case UInt8(ascii: "\""): string() == nil ? nil : .string
        case UInt8(ascii: "t"): word("true") ? .boolean : nil
        case UInt8(ascii: "f"): word("false") ? .boolean : nil
        case UInt8(ascii: "n"): word("null") ? .null : nil
        default: number() ? .number : nil
        }
    }

    /// Steps over a string and gives what stands between its quotes.
    mutating func string() -> Range<Int>? {
        guard take(UInt8(ascii: "\"")) else { return nil }
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
        guard end <= bytes.count, text.withUTF8Buffer({ bytes[place..<end].elementsEqual($0) }) else { return false }
        place = end
        return true
    }
}
