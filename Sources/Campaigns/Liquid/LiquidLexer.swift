import JSON

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
    var text: Message {
        switch kind {
        case .word(let word): "\(word)"
        case .text(let text): "\"\(text)\""
        case .number(let number): "\(number)"
        case .sign(let sign): "\(sign)"
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
        while position < end, LiquidCharacter.isSpace(scalar) { position += length }
        let start = position
        guard position < end else { return LiquidToken(kind: .end, offset: start) }
        return LiquidToken(kind: try kind(), offset: start)
    }

    private mutating func kind() throws(LiquidError) -> LiquidToken.Kind {
        let byte = source[position]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try text(quote: byte).composed)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(number())
        case UInt8(ascii: "-") where position + 1 < end && Self.isDigit(source[position + 1]): return .number(number())
        case _ where LiquidCharacter.isNameStart(scalar): return .word(word().composed)
        case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"):
            return .sign(comparison())
        case _ where ".,:|[]".utf8.contains(byte):
            position += 1
            return .sign(String(UnicodeScalar(byte)))
        default:
            throw LiquidError(misplaced: scalar, offset: position)
        }
    }

    /// Liquid knows no escapes: a text ends at the next quote of its kind.
    private mutating func text(quote: UInt8) throws(LiquidError) -> String {
        let start = position + 1
        guard let close = source[start..<end].firstIndex(of: quote) else {
            throw LiquidError(
                code: "unclosed-quote", offset: position, message: "the text that begins here has no closing quote")
        }
        let text = String(decoding: source[start..<close], as: UTF8.self)
        if let end = LiquidMending.misplacedEnd(in: text) {
            let scalars = text.unicodeScalars
            let index = scalars.index(scalars.startIndex, offsetBy: end)
            throw LiquidError(
                misplaced: scalars[index], offset: start + text.utf8.distance(from: text.startIndex, to: index))
        }
        position = close + 1
        return text
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

    private mutating func comparison() -> String {
        let start = position
        while position < end, "=!<>".utf8.contains(source[position]) { position += 1 }
        return String(decoding: source[start..<position], as: UTF8.self)
    }

    private mutating func word() -> String {
        let start = position
        while position < end {
            if !LiquidCharacter.isNamePart(scalar) {
                let next = position + length
                guard LiquidCharacter.isJoiner(scalar), next < end,
                    LiquidCharacter.isNamePart(Self.scalar(at: next, in: source).scalar)
                else { break }
            }
            position += length
        }
        return String(decoding: source[start..<position], as: UTF8.self)
    }

    // MARK: Characters

    private var scalar: Unicode.Scalar { Self.scalar(at: position, in: source).scalar }
    private var length: Int { Self.scalar(at: position, in: source).length }

    /// The source comes from a string, so it is UTF-8.
    static func scalar(at index: Int, in source: [UInt8]) -> (scalar: Unicode.Scalar, length: Int) {
        source.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes[index] >= 0x80 else { return (Unicode.Scalar(bytes[index]), 1) }
            let length = UTF8Text.sequenceLength(start + index, bytes.count - index)
            return length == 0 ? ("\u{FFFD}", 1) : (UTF8Text.scalar(start + index, length), length)
        }
    }

    /// The index of the first character from `range.lowerBound` on that is no white space.
    static func skipSpace(_ range: Range<Int>, in source: [UInt8]) -> Int {
        var index = range.lowerBound
        while index < range.upperBound {
            let (scalar, length) = scalar(at: index, in: source)
            guard LiquidCharacter.isSpace(scalar) else { break }
            index += length
        }
        return index
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func isTagName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || isDigit(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "#")
    }

    /// Whether a name can be written without quotes and brackets.
    static func isWord(_ name: String) -> Bool {
        let source = Array(name.utf8)
        guard let first = name.unicodeScalars.first, LiquidCharacter.isNameStart(first) else { return false }
        var lexer = LiquidLexer(source: source, end: source.count, position: 0)
        _ = lexer.word()
        return lexer.position == source.count && !LiquidOperand.keywords.contains(name)
    }
}

extension LiquidError {
    /// A character that Liquid does not expect at its position.
    init(misplaced scalar: Unicode.Scalar, offset: Int) {
        let description = LiquidCharacter.description(of: scalar)
        switch LiquidQuote(scalar).map({ String($0.ascii) }) ?? LiquidCharacter.replacement(for: scalar) {
        case ""?:
            self.init(
                code: "wrong-character", offset: offset, message: "\(description) must not stand here: remove it")
        case let meant?:
            self.init(
                code: "wrong-character", offset: offset, message: "\(description) must not stand here: write \(meant)")
        case nil where scalar.value < 0x80:
            self.init(code: "unexpected", offset: offset, message: "\(description) is not allowed here")
        case nil:
            self.init(
                code: "unexpected", offset: offset,
                message: "\(description) is not allowed here; a name with it must be in quotes and brackets, like "
                    + "attributes[\"\(scalar)\"]")
        }
    }
}
