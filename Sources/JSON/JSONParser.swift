/// The recursive descent parser of `JSON.init(parsing:)`. The bytes must be valid UTF-8, which the caller checks.
struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The byte to be read next.
    private var position = 0
    private var depth = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    mutating func document() throws(JSON.SyntaxError) -> JSON {
        let document = try value()
        skipWhitespace()
        guard next == nil else { throw error("unexpected text after the end of the value") }
        return document
    }

    private mutating func value() throws(JSON.SyntaxError) -> JSON {
        skipWhitespace()
        switch next {
        case UInt8(ascii: "{"): return .object(try nested { parser throws(JSON.SyntaxError) in try parser.members() })
        case UInt8(ascii: "["): return .array(try nested { parser throws(JSON.SyntaxError) in try parser.elements() })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number(try number())
        default: throw unexpected("a value")
        }
    }

    private mutating func nested<Content>(
        _ content: (inout JSONParser) throws(JSON.SyntaxError) -> Content
    ) throws(JSON.SyntaxError) -> Content {
        guard depth < JSON.maximumDepth else {
            throw error("objects and lists are nested more than \(JSON.maximumDepth) levels deep")
        }
        depth += 1
        position += 1
        let value = try content(&self)
        depth -= 1
        return value
    }

    private mutating func members() throws(JSON.SyntaxError) -> [JSON.Member] {
        var members: [JSON.Member] = []
        var keys: Set<String> = []
        skipWhitespace()
        if skip(UInt8(ascii: "}")) { return members }
        repeat {
            skipWhitespace()
            let start = position
            guard next == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
            let key = try string()
            guard keys.insert(key).inserted else {
                throw error(at: start, "duplicate key \"\(key)\" in an object")
            }
            skipWhitespace()
            guard skip(UInt8(ascii: ":")) else { throw unexpected("a colon after the key") }
            members.append(JSON.Member(key, try value()))
            skipWhitespace()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw unexpected("a comma or } after the value") }
        return members
    }

    private mutating func elements() throws(JSON.SyntaxError) -> [JSON] {
        var elements: [JSON] = []
        skipWhitespace()
        if skip(UInt8(ascii: "]")) { return elements }
        repeat {
            elements.append(try value())
            skipWhitespace()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw unexpected("a comma or ] after the value") }
        return elements
    }

    /// Reads from the opening quote to the closing one.
    private mutating func string() throws(JSON.SyntaxError) -> String {
        let contents = try JSONString.contents(of: bytes, from: position)
        position = contents.range.upperBound + 1
        guard contents.hasEscapes else { return String(decoding: bytes[contents.range], as: UTF8.self) }
        return try JSONString.unescape(contents, of: bytes).text
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSON.SyntaxError) -> JSON {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard skip(word.utf8Start[index]) else {
                throw error(at: start, "only true, false and null are written without quotes")
            }
        }
        return value
    }

    private mutating func number() throws(JSON.SyntaxError) -> JSON.Number {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) {
            try digits()
        } else if let next, isDigit(next) {
            throw error(at: start, "a number must not have leading zeros")
        }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        return JSON.Number(validated: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() throws(JSON.SyntaxError) {
        guard let first = next, isDigit(first) else { throw unexpected("a digit") }
        while let next, isDigit(next) { position += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9")
    }

    private var next: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let next, next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { position += 1 }
    }

    private func error(at offset: Int? = nil, _ message: Message) -> JSON.SyntaxError {
        JSON.SyntaxError(offset: offset ?? position, message: message)
    }

    private func unexpected(_ wanted: Message) -> JSON.SyntaxError {
        switch next {
        case nil: error("the text ends where \(wanted) is expected")
        case 0xEF where position == 0: error("the text begins with a byte order mark or another invalid character")
        case .some(0x21...0x7E): error("\(wanted) is expected, not \(Unicode.Scalar(bytes[position]))")
        default: error("\(wanted) is expected, not an invalid character")
        }
    }
}
