/// Scans a JSON text (RFC 8259) in place, without building values.
struct JSONScanner {
    enum Kind { case string, number, boolean, null, array, dictionary }

    let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    mutating func take(_ character: UInt8) -> Bool {
        guard peek == character else { return false }
        position += 1
        return true
    }

    /// Skips a value that is neither a dictionary nor an array. Returns nil if it is not valid JSON.
    mutating func scalar() -> Kind? {
        switch peek {
        case UInt8(ascii: "\""): string() == nil ? nil : .string
        case UInt8(ascii: "t"): keyword("true") ? .boolean : nil
        case UInt8(ascii: "f"): keyword("false") ? .boolean : nil
        case UInt8(ascii: "n"): keyword("null") ? .null : nil
        default: number() ? .number : nil
        }
    }

    /// Skips a string and returns the range between its quotes.
    mutating func string() -> Range<Int>? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return start..<position - 1
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
        position += 1
        guard byte == UInt8(ascii: "u") else { return #""\/bfnrt"#.utf8.contains(byte) }
        for _ in 0..<4 {
            guard let digit = peek, HexDigit.value(of: digit) != nil else { return false }
            position += 1
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
        let start = position
        while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        return position > start
    }

    private mutating func keyword(_ text: StaticString) -> Bool {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count, text.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) }) else { return false }
        position = end
        return true
    }
}
