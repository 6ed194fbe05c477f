import JSON
import Notifications

/// Parses a whole text and collects all errors: it skips an invalid placeholder or tag and continues.
struct LiquidParser {
    private let text: String
    private let scanner: LiquidScanner
    private var next = 0
    private var depth = 0
    private var errors: [LiquidError]

    init(_ text: String) {
        self.text = text
        var scanner = LiquidScanner(text.utf8.count <= LiquidTemplate.maximumSize ? text : "")
        scanner.scan()
        self.scanner = scanner
        errors = scanner.errors
    }

    mutating func template() throws(LiquidErrors) -> [LiquidNode] {
        guard text.utf8.count <= LiquidTemplate.maximumSize else {
            let message: Message =
                "a text with Liquid must be at most \(LiquidTemplate.maximumSize) bytes long, not \(text.utf8.count)"
            throw LiquidErrors(errors: [LiquidError(code: "too-long", offset: 0, message: message)])
        }
        var nodes = nodes()
        while case .tag(let name, _, let start)? = piece {
            // Only a tag that closes or divides a block ends the nodes before the end of the text.
            report("misplaced-tag", start, "{% \(name) %} is not inside an {% if … %}")
            next += 1
            nodes += self.nodes()
        }
        guard errors.isEmpty else {
            let reported = errors.sorted { $0.offset < $1.offset }.prefix(LiquidTemplate.maximumErrors)
            throw LiquidErrors(errors: Array(reported))
        }
        return nodes
    }

    private var piece: LiquidScanner.Piece? { next < scanner.pieces.count ? scanner.pieces[next] : nil }

    /// Up to the end, or to a tag that belongs to a block around it.
    private mutating func nodes() -> [LiquidNode] {
        var nodes: [LiquidNode] = []
        while let piece {
            switch piece {
            case .text(let text):
                nodes.append(.text(text))
                next += 1
            case .output(let markup):
                next += 1
                if let output = reading(markup, { reader throws(LiquidError) in try reader.output() }) {
                    nodes.append(.output(output))
                }
            case .tag("if", let markup, let start):
                if let block = block(markup, start) { nodes.append(block) }
            case .tag("elsif", _, _), .tag("else", _, _), .tag("endif", _, _): return nodes
            case .tag(let name, let markup, let start):
                reportUnknown(name, markup, start)
                next += 1
            }
        }
        return nodes
    }

    /// From an if to its endif; nil when nothing in it can show, and for one that is never closed.
    private mutating func block(_ markup: Range<Int>, _ start: Int) -> LiquidNode? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= LiquidTemplate.maximumDepth else {
            report("too-deep", start, "{% if … %} can be nested at most \(LiquidTemplate.maximumDepth) levels deep")
            next = scanner.pieces.count
            return nil
        }
        var branches: [LiquidBranch] = []
        var otherwise: [LiquidNode]?
        var isElse = false
        var condition = condition(markup)
        while true {
            next += 1
            let body = nodes()
            if isElse {
                otherwise = otherwise ?? body
            } else if let condition {
                branches.append(LiquidBranch(condition: condition, nodes: body))
            }
            guard case .tag(let name, let markup, let tagStart)? = piece else {
                report("unclosed-block", start, "{% if … %} has no {% endif %} that closes it")
                return nil
            }
            if name == "endif" { break }
            if isElse { report("misplaced-tag", tagStart, "{% \(name) %} must not follow {% else %}") }
            if name == "elsif" {
                condition = self.condition(markup)
            } else {
                isElse = true
                if LiquidLexer.skipSpace(markup, in: scanner.source) < markup.upperBound {
                    report("unexpected", tagStart, "{% else %} takes no condition; did you mean elsif?")
                }
            }
        }
        next += 1
        // As in Liquid, white space alone in a block is not written.
        guard !(branches.map(\.nodes) + [otherwise ?? []]).allSatisfy(\.isBlank) else { return nil }
        return .branches(branches, otherwise: otherwise ?? [])
    }

    private mutating func condition(_ markup: Range<Int>) -> LiquidCondition? {
        reading(markup) { reader throws(LiquidError) in try reader.condition() }
    }

    /// Nil when the markup is faulty.
    private mutating func reading<Part>(
        _ markup: Range<Int>, _ read: (inout LiquidExpressionReader) throws(LiquidError) -> Part
    ) -> Part? {
        do throws(LiquidError) {
            var reader = try LiquidExpressionReader(markup, in: scanner.source)
            defer { errors += reader.errors.map { mending($0, markup) } }
            let part = try read(&reader)
            return reader.errors.isEmpty ? part : nil
        } catch {
            errors.append(mending(error, markup))
            return nil
        }
    }

    /// The error with the fix of its tag, if a character is what is wrong.
    private func mending(_ error: LiquidError, _ markup: Range<Int>) -> LiquidError {
        guard Self.mendable.contains(error.code) else { return error }
        var error = error
        error.fix = LiquidMending.fix(around: markup, in: scanner.source)
        return error
    }

    private static let mendable: Set = ["wrong-character", "unclosed-quote", "misspelled-word", "date-format"]

    private mutating func reportUnknown(_ name: String, _ markup: Range<Int>, _ start: Int) {
        // As in {% ｉｆ x %} or {%– if x %}.
        let index = LiquidLexer.skipSpace(markup, in: scanner.source)
        if index < markup.upperBound {
            let scalar = LiquidLexer.scalar(at: index, in: scanner.source).scalar
            if LiquidCharacter.replacement(for: scalar) != nil {
                return errors.append(mending(LiquidError(misplaced: scalar, offset: index), markup))
            }
        }
        report("unknown-tag", start, Self.unknownTag(name))
    }

    private mutating func report(_ code: String, _ offset: Int, _ message: Message) {
        errors.append(LiquidError(code: code, offset: offset, message: message))
    }

    private static let tags = ["if", "elsif", "else", "endif", "comment", "raw"]
    private static let otherTags: Set<String> = [
        "assign", "capture", "case", "when", "for", "unless", "increment", "decrement", "cycle", "include", "render",
        "echo", "liquid", "tablerow",
    ]

    private static func unknownTag(_ name: String) -> Message {
        if name.isEmpty { return "{% … %} needs a tag, like {% if first_name %}" }
        if name == "endcomment" || name == "endraw" { return "{% \(name) %} has no matching opening tag" }
        if otherTags.contains(name) { return "{% \(name) %} is not supported; templates support if, comment and raw" }
        let suggestion = name == "elif" || name == "elseif" ? "elsif" : Spelling.nearest(to: name, among: tags)
        return "unknown tag \(name)\(suggestion.map(Spelling.suggestion) ?? "")"
    }
}

extension [LiquidNode] {
    var isBlank: Bool {
        allSatisfy { node in
            guard case .text(let text) = node else { return false }
            return text.allSatisfy(\.isWhitespace)
        }
    }
}
