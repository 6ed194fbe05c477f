import JSON

/// Divides a template's text into literal text, `{{ … }}` and `{% … %}`. It handles comments, raw text and the hyphens
/// that trim white space.
///
/// As in Liquid the first `}}` ends a `{{`, even between quotes.
struct LiquidScanner {
    enum Piece: Equatable {
        case text(String)
        /// The markup between the braces.
        case output(Range<Int>)
        /// The tag's name and the markup after it. `start` is where the tag begins.
        case tag(String, Range<Int>, start: Int)
    }

    let source: [UInt8]
    private var position = 0
    private(set) var pieces: [Piece] = []
    private(set) var errors: [LiquidError] = []
    /// The start of the text that is not part of a piece yet.
    private var textStart = 0
    private var trimsNext = false

    init(_ text: String) {
        source = Array(text.utf8)
    }

    mutating func scan() {
        while let open = nextOpening(from: position) {
            let isTag = source[open + 1] == UInt8(ascii: "%")
            guard let close = closing(of: open, isTag: isTag) else { continue }
            let trimsBefore = open + 2 < close && source[open + 2] == UInt8(ascii: "-")
            let trimsAfter = close - 1 > open + (trimsBefore ? 2 : 1) && source[close - 1] == UInt8(ascii: "-")
            endText(at: open, trimsEnd: trimsBefore)
            let markup = open + (trimsBefore ? 3 : 2)..<close - (trimsAfter ? 1 : 0)
            position = close + 2
            textStart = position
            trimsNext = trimsAfter
            if isTag { tag(markup, start: open) } else { pieces.append(.output(markup)) }
        }
        endText(at: source.count, trimsEnd: false)
    }

    // MARK: Delimiters

    private func nextOpening(from start: Int) -> Int? {
        (start..<max(start, source.count)).first(where: isOpening)
    }

    private func isOpening(at index: Int) -> Bool {
        guard index + 1 < source.count, source[index] == UInt8(ascii: "{") else { return false }
        return source[index + 1] == UInt8(ascii: "{") || source[index + 1] == UInt8(ascii: "%")
    }

    /// The position of the closing braces. Without them, reports an error and continues after the opening ones.
    private mutating func closing(of open: Int, isTag: Bool) -> Int? {
        let first = isTag ? UInt8(ascii: "%") : UInt8(ascii: "}")
        var quote: UInt8?
        var index = open + 2
        while index + 1 < source.count {
            if source[index] == first, source[index + 1] == UInt8(ascii: "}") { return index }
            switch source[index] {
            case quote: quote = nil
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = quote ?? source[index]
            case UInt8(ascii: "{") where quote == nil && isOpening(at: index):
                unclosed(open, isTag)
                return nil
            default: break
            }
            index += 1
        }
        unclosed(open, isTag)
        return nil
    }

    private mutating func unclosed(_ open: Int, _ isTag: Bool) {
        let (opening, closing) = isTag ? ("{%", "%}") : ("{{", "}}")
        let mending = errors.count < LiquidTemplate.maximumErrors ? mending(of: opening, at: open) : nil
        let hint: Message = mending.map { "; \($0.typed) only looks like it" } ?? ""
        errors.append(
            LiquidError(
                code: isTag ? "unclosed-tag" : "unclosed-output", offset: open,
                message: "the \(opening) has no \(closing) that closes it\(hint)",
                fix: mending?.fix))
        position = open + 2
    }

    /// The text that was typed in place of the closing braces, near the opening ones: a text may have thousands of
    /// them.
    private func mending(of opening: String, at open: Int) -> (typed: String, fix: Problem.Fix?)? {
        let end = min(source.count, open + Self.maximumMarkup)
        let text = Substring(decoding: source[open..<end], as: UTF8.self)
        let typed = LiquidLookalike.closing(of: opening, in: text.unicodeScalars.dropFirst(2))
        return typed.map { (String(text[$0]), LiquidMending.fix(String(text[..<$0.upperBound]))) }
    }

    /// In bytes, from the opening braces: where closing ones of another kind are searched for.
    private static let maximumMarkup = 1_000

    // MARK: Text

    private mutating func endText(at end: Int, trimsEnd: Bool) {
        var text = Substring(decoding: source[textStart..<max(textStart, end)], as: UTF8.self)
        if trimsNext { text = text.drop(while: \.isWhitespace) }
        if trimsEnd { while text.last?.isWhitespace == true { text.removeLast() } }
        trimsNext = false
        if !text.isEmpty { pieces.append(.text(String(text))) }
    }

    // MARK: Tags

    private mutating func tag(_ markup: Range<Int>, start: Int) {
        var index = LiquidLexer.skipSpace(markup, in: source)
        let nameStart = index
        while index < markup.upperBound, LiquidLexer.isTagName(source[index]) { index += 1 }
        let name = String(decoding: source[nameStart..<index], as: UTF8.self)
        switch name {
        case "#": break
        case "comment": skipComment(start: start)
        case "raw": raw(start: start)
        default: pieces.append(.tag(name, index..<markup.upperBound, start: start))
        }
    }

    /// Skips to the end of the matching endcomment; comments can be nested.
    private mutating func skipComment(start: Int) {
        var depth = 1
        var index = position
        while let tag = bareTag(from: index) {
            index = tag.end
            if tag.name == "comment" { depth += 1 }
            if tag.name == "endcomment" { depth -= 1 }
            guard depth == 0 else { continue }
            (position, textStart, trimsNext) = (tag.end, tag.end, tag.trimsAfter)
            return
        }
        unclosedBlock("comment", start: start)
    }

    private mutating func raw(start: Int) {
        var index = position
        while let tag = bareTag(from: index) {
            index = tag.end
            guard tag.name == "endraw" else { continue }
            endText(at: tag.start, trimsEnd: tag.trimsBefore)
            (position, textStart, trimsNext) = (tag.end, tag.end, tag.trimsAfter)
            return
        }
        unclosedBlock("raw", start: start)
    }

    private mutating func unclosedBlock(_ name: String, start: Int) {
        errors.append(
            LiquidError(
                code: "unclosed-block", offset: start, message: "{% \(name) %} has no {% end\(name) %} that closes it"))
        (position, textStart) = (source.count, source.count)
    }

    private struct BareTag {
        let name: String
        let start: Int
        let end: Int
        let trimsBefore: Bool
        let trimsAfter: Bool
    }

    /// The next `{% name … %}`, regardless of its context.
    private func bareTag(from start: Int) -> BareTag? {
        var index = start
        while let open = nextOpening(from: index) {
            index = open + 2
            guard source[open + 1] == UInt8(ascii: "%") else { continue }
            guard let close = (index..<source.count).first(where: isTagEnd) else { return nil }
            let words = source[index..<close].split(whereSeparator: { !LiquidLexer.isTagName($0) })
            return BareTag(
                name: String(decoding: words.first ?? [], as: UTF8.self), start: open, end: close + 2,
                trimsBefore: source[index] == UInt8(ascii: "-"), trimsAfter: source[close - 1] == UInt8(ascii: "-"))
        }
        return nil
    }

    private func isTagEnd(at index: Int) -> Bool {
        index + 1 < source.count && source[index] == UInt8(ascii: "%") && source[index + 1] == UInt8(ascii: "}")
    }
}
