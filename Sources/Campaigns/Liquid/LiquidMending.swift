import JSON

/// Writes a tag with Liquid's own signs in place of those that only look like them: `“gold”`, `：`, zero-width spaces.
///
/// A tag is corrected as a whole. Texts between quotation marks stay as they are.
struct LiquidMending {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var mended = String.UnicodeScalarView()

    private init(_ tag: String) {
        scalars = Array(tag.unicodeScalars)
    }

    /// Nil when nothing changes, or when something in the tag has no replacement.
    static func fix(_ tag: String) -> Problem.Fix? {
        guard tag.utf8.count <= maximumTagSize else { return nil }
        var mending = LiquidMending(tag)
        guard mending.run() else { return nil }
        let mended = String(mending.mended)
        return Array(mended.utf8) == Array(tag.utf8) ? nil : Problem.Fix(from: tag, to: mended)
    }

    /// In bytes: each quotation mark is compared with all that follow it in its tag.
    private static let maximumTagSize = 1_000

    /// The fix of the tag around this markup.
    static func fix(around markup: Range<Int>, in source: [UInt8]) -> Problem.Fix? {
        let starts = stride(from: markup.lowerBound - 2, through: 0, by: -1)
        let ends = markup.upperBound..<max(markup.upperBound, source.count - 1)
        let isOpening = { source[$0] == UInt8(ascii: "{") && "{%".utf8.contains(source[$0 + 1]) }
        let isClosing = { source[$0 + 1] == UInt8(ascii: "}") && "}%".utf8.contains(source[$0]) }
        guard let start = starts.first(where: isOpening), let end = ends.first(where: isClosing) else { return nil }
        return fix(String(decoding: source[start..<end + 2], as: UTF8.self))
    }

    /// False for a character that has no replacement.
    private mutating func run() -> Bool {
        while index < scalars.count {
            let scalar = scalars[index]
            if let word = misspelledWord {
                mended.append(contentsOf: word.meant.unicodeScalars)
                index += word.length
                continue
            }
            if LiquidCharacter.isNamePart(scalar) || LiquidCharacter.isJoiner(scalar), isBetweenLetters {
                mended.append(scalar)
            } else if let quote = LiquidQuote(scalar) {
                guard literal(quote) else { return false }
                continue
            } else if let replacement = LiquidCharacter.replacement(for: scalar) {
                append(replacement)
            } else if scalar.value < 0x80 || LiquidCharacter.isNamePart(scalar) || LiquidCharacter.isSpace(scalar) {
                mended.append(scalar)
            } else {
                return false
            }
            index += 1
        }
        return true
    }

    private mutating func append(_ replacement: String) {
        // As in `truncate: 10…`.
        if scalars[index] == "…", mended.last?.properties.numericType != nil {
            mended.append(contentsOf: ", ".unicodeScalars)
        }
        mended.append(contentsOf: replacement.unicodeScalars)
        // As in `!= – 1`: a minus belongs to its number, which is the first thing after a sign.
        guard replacement == "-" else { return }
        let sign = mended.dropLast().last { !LiquidCharacter.isSpace($0) }
        let rest = scalars[(index + 1)...].drop(while: LiquidCharacter.isSpace)
        guard let digit = rest.first, "0"..."9" ~= digit, let sign, "=<>:,".unicodeScalars.contains(sign) else {
            return
        }
        index = rest.startIndex - 1
    }

    /// The word of Liquid that begins here in the spelling of another language, as `None` does for `nil`.
    private var misspelledWord: (meant: String, length: Int)? {
        guard index == 0 || !LiquidCharacter.isNamePart(scalars[index - 1]) && scalars[index - 1] != "." else {
            return nil
        }
        let word = scalars[index...].prefix(while: LiquidCharacter.isNamePart)
        guard let meant = LiquidOperand.misspelled[String(String.UnicodeScalarView(word))],
            word.endIndex == scalars.endIndex || !".[".unicodeScalars.contains(scalars[word.endIndex])
        else { return nil }
        return (meant, word.count)
    }

    private var isBetweenLetters: Bool {
        index > 0 && index + 1 < scalars.count && LiquidCharacter.isNamePart(scalars[index - 1])
            && LiquidCharacter.isNamePart(scalars[index + 1])
    }

    // MARK: Texts in quotes

    /// False when nothing closes the text, or when it contains both of Liquid's quotes.
    private mutating func literal(_ quote: LiquidQuote) -> Bool {
        guard let close = closing(quote) else { return false }
        var text = scalars[index + 1..<close]
        if LiquidQuote.isSpaced(scalars[index]) { text = trimmed(text) }
        if isFormat { text = LiquidDateFormat.mended(text)[...] }
        let preferred = LiquidQuote(scalars[index])?.ascii ?? "\""
        guard let mark = [preferred, "\"", "'"].first(where: { !text.contains($0) }) else { return false }
        mended.append(mark)
        mended.append(contentsOf: text)
        mended.append(mark)
        index = close + 1
        return true
    }

    /// Whether the next text is the format of `date`.
    private var isFormat: Bool {
        let words = String(mended).split { $0.isWhitespace || $0 == ":" || $0 == "|" }
        return words.last == "date" && mended.last { !LiquidCharacter.isSpace($0) } == ":"
    }

    private func trimmed(_ text: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        var text = text.drop(while: LiquidCharacter.isSpace)
        while let last = text.last, LiquidCharacter.isSpace(last) { text.removeLast() }
        return text
    }

    /// The mark that closes the text: of those that something of Liquid follows, its partner rather than another one.
    /// So the apostrophe of ‘it’s you’ does not end it.
    private func closing(_ quote: LiquidQuote) -> Int? {
        let marks = scalars.indices.dropFirst(index + 1).filter { LiquidQuote(scalars[$0]) != nil }
        if let end = endBeforeLiquid(marks) { return end }
        let candidates = marks.filter { LiquidQuote(scalars[$0]) == quote }
        let ends = candidates.filter(endsText)
        let partners = LiquidQuote.partners(of: scalars[index])
        // A quotation mark that opens again first belongs to another text.
        let partner = candidates.first { partners.contains(scalars[$0]) || scalars[$0] == scalars[index] }
        if let partner, partners.contains(scalars[partner]), endsText(partner) { return partner }
        return ends.first ?? candidates.first
    }

    /// The first of these marks that has Liquid between it and the next one, and so ends a text.
    private func endBeforeLiquid(_ marks: [Int]) -> Int? {
        zip(marks, marks.dropFirst()).first { isLiquid(between: $0, $1) }?.0
    }

    /// The index at which a text between straight quotes should have ended: a mark of another kind closes it, Liquid
    /// follows, and another one opens the next text. The index is one of the text's scalars.
    static func misplacedEnd(in text: String) -> Int? {
        guard text.utf8.count <= maximumTagSize else { return nil }
        let mending = LiquidMending(text)
        return mending.endBeforeLiquid(
            mending.scalars.indices.filter { index in
                let scalar = mending.scalars[index]
                return LiquidQuote(scalar) != nil && !"\"'".unicodeScalars.contains(scalar)
            })
    }

    /// Whether what stands between two marks is no text: ` or plan != `, ` | append: `.
    private func isLiquid(between first: Int, _ second: Int) -> Bool {
        let signs = scalars[first + 1..<second].flatMap { scalar in
            Array((LiquidCharacter.replacement(for: scalar) ?? String(scalar)).unicodeScalars)
        }
        let words = String(String.UnicodeScalarView(signs)).split(whereSeparator: \.isWhitespace)
        guard let firstWord = words.first, let lastWord = words.last, let start = firstWord.first,
            let end = lastWord.last
        else { return false }
        if start == "|" { return end == ":" || end == "," }
        let startsAsLiquid = ["and", "or", "contains"].contains(firstWord) || "=!<>".contains(start)
        return startsAsLiquid && ("=<>".contains(end) || lastWord == "contains")
    }

    /// Whether the end of the tag, a sign or a word of Liquid follows.
    private func endsText(_ mark: Int) -> Bool {
        let rest = scalars[(mark + 1)...].drop { LiquidCharacter.isSpace($0) || LiquidCharacter.isIgnorable($0) }
        guard let next = rest.first else { return true }
        let sign = LiquidCharacter.replacement(for: next)?.unicodeScalars.first ?? next
        if "|,:]=!<>}%-".unicodeScalars.contains(sign) { return true }
        let word = String(String.UnicodeScalarView(rest.prefix(while: LiquidCharacter.isNamePart)))
        return rest.startIndex > mark + 1 && ["and", "or", "contains"].contains(word)
    }
}
