/// A word, literal or sign between the braces, and where it begins.
struct LiquidToken: Equatable {
    enum Kind: Equatable {
        case word(String)
        case text(String)
        /// As written: `-1`, `2.50`.
        case number(String)
        /// `. , : | [ ]` and the comparisons.
        case sign(String)
        case end
    }

    let kind: Kind
    let offset: Int

    /// The token as error messages show it.
    var text: String {
        switch kind {
        case .word(let word): word
        case .text(let text): "\"\(text)\""
        case .number(let number): number
        case .sign(let sign): sign
        case .end: "the end"
        }
    }
}

/// Divides the markup between braces into tokens.
struct LiquidLexer {
    private let source: [UInt8]
    private let end: Int
    private var position: Int

    static func tokens(of range: Range<Int>, in source: [UInt8]) throws(LiquidError) -> [LiquidToken] {
        var lexer = LiquidLexer(source: source, end: range.upperBound, position: range.lowerBound)
        var tokens: [LiquidToken] = []
        repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
        return tokens
    }

    private mutating func next() throws(LiquidError) -> LiquidToken {
        while position < end, Self.isSpace(source[position]) { position += 1 }
        let start = position
        guard position < end else { return LiquidToken(kind: .end, offset: start) }
        return LiquidToken(kind: try kind(), offset: start)
    }

    private mutating func kind() throws(LiquidError) -> LiquidToken.Kind {
        let byte = source[position]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try text(quote: byte))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(number())
        case UInt8(ascii: "-") where position + 1 < end && Self.isDigit(source[position + 1]): return .number(number())
        case _ where Self.isWordStart(byte): return .word(run(Self.isWordPart))
        case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"):
            return .sign(run { "=!<>".utf8.contains($0) })
        case _ where ".,:|[]".utf8.contains(byte):
            position += 1
            return .sign(String(UnicodeScalar(byte)))
        default:
            let rest = String(decoding: source[position..<end], as: UTF8.self)
            throw LiquidError(
                code: "unexpected", offset: position,
                message: "\(rest.first.map(String.init) ?? "") is not allowed here")
        }
    }

    /// Liquid knows no escapes: a text ends at the next quote of its kind.
    private mutating func text(quote: UInt8) throws(LiquidError) -> String {
        let start = position + 1
        guard let close = source[start..<end].firstIndex(of: quote) else {
            throw LiquidError(
                code: "unclosed-quote", offset: position, message: "the text that begins here has no closing quote")
        }
        position = close + 1
        return String(decoding: source[start..<close], as: UTF8.self)
    }

    private mutating func number() -> String {
        let start = position
        position += 1
        while position < end, Self.isDigit(source[position]) { position += 1 }
        if position + 1 < end, source[position] == UInt8(ascii: "."), Self.isDigit(source[position + 1]) {
            position += 1
            while position < end, Self.isDigit(source[position]) { position += 1 }
        }
        return String(decoding: source[start..<position], as: UTF8.self)
    }

    private mutating func run(_ belongs: (UInt8) -> Bool) -> String {
        let start = position
        while position < end, belongs(source[position]) { position += 1 }
        return String(decoding: source[start..<position], as: UTF8.self)
    }

    // MARK: Characters

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func isTagName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || isDigit(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "#")
    }

    /// Beyond ASCII everything counts as a letter: attributes may have names in any language.
    private static func isWordStart(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private static func isWordPart(_ byte: UInt8) -> Bool {
        isWordStart(byte) || isDigit(byte) || byte == UInt8(ascii: "-")
    }

    /// Whether a name can be written without quotes and brackets.
    static func isWord(_ name: String) -> Bool {
        name.utf8.first.map(isWordStart) == true && name.utf8.allSatisfy(isWordPart)
            && !LiquidOperand.keywords.contains(name)
    }
}
