import JSON
import Notifications

/// Placeholders whose braces only look like Liquid's: `｛｛ name ｝｝`, `{％ if x ％}`, two braces with a zero-width space
/// between them. They are sent as they are.
enum LiquidLookalike {
    typealias Scalars = Substring.UnicodeScalarView

    /// A warning for each, at most `LiquidTemplate.maximumErrors`.
    static func problems(in text: String, at path: String) -> [Problem] {
        // Nearly all texts have no such character.
        guard text.utf8.contains(where: { $0 >= 0x80 }) || text.utf8.contains(UInt8(ascii: "{")) else { return [] }
        var rest = text.unicodeScalars[...]
        var problems: [Problem] = []
        while let open = pair(["{{", "{%"], in: rest, allowsPlain: false), problems.count < LiquidTemplate.maximumErrors
        {
            rest = rest[open.range.upperBound...]
            let close = closing(of: open.meant, in: rest)
            // A brace with a space behind it is common in code; with its closing counterpart it is meant.
            guard close != nil || !open.isSpaced else { continue }
            let fix = close.map { close in
                let tag = String(text[open.range.lowerBound..<close.upperBound])
                let plain =
                    open.meant + text[open.range.upperBound..<close.lowerBound] + (open.meant == "{{" ? "}}" : "%}")
                return Problem.Fix(from: tag, to: LiquidMending.fix(plain)?.to ?? plain)
            }
            problems.append(
                Problem(
                    path: path, code: "looks-like-placeholder",
                    message: "contains \(text[open.range]), which only looks like \(open.meant): it is sent as it is",
                    severity: .warning, fix: fix))
            if let close { rest = rest[close.upperBound...] }
        }
        return problems
    }

    /// The text that was typed to close `{{` or `{%`, on the same line.
    static func closing(of opening: String, in scalars: Scalars) -> Range<String.Index>? {
        pair([opening == "{{" ? "}}" : "%}"], in: scalars.prefix { $0 != "\n" }, allowsPlain: true)?.range
    }

    /// The first two signs that are or look like one of `wanted`, with at most spaces and invisible characters between
    /// them.
    private static func pair(
        _ wanted: [String], in scalars: Scalars, allowsPlain: Bool
    ) -> (range: Range<String.Index>, meant: String, isSpaced: Bool)? {
        var first: (index: String.Index, meant: String)?
        var isSpaced = false
        for index in scalars.indices {
            if scalars[index] != "\n", LiquidCharacter.isSpace(scalars[index]) {
                isSpaced = true
                continue
            }
            let meant = LiquidCharacter.replacement(for: scalars[index]) ?? String(scalars[index])
            guard !meant.isEmpty else { continue }
            defer { isSpaced = false }
            if let first, wanted.contains(first.meant + meant) {
                let range = first.index..<scalars.index(after: index)
                if allowsPlain || String(scalars[range]) != first.meant + meant {
                    return (range, first.meant + meant, isSpaced)
                }
            }
            first = (index, meant)
        }
        return nil
    }
}
