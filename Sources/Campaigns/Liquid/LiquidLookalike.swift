import JSON
import Notifications

/// Placeholders whose braces only look like Liquid's: `｛｛ name ｝｝`, `{％ if x ％}`, two braces with a zero-width space
/// between them. They are sent as they are.
enum LiquidLookalike {
    typealias Scalars = Substring.UnicodeScalarView

    /// A warning for each, at most `LiquidTemplate.maximumErrors`.
    static func problems(in text: String, at path: String) -> [Problem] {
        // Nearly all texts have no such character.
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return [] }
        var rest = text.unicodeScalars[...]
        var problems: [Problem] = []
        while let open = pair(["{{", "{%"], in: rest, allowsPlain: false), problems.count < LiquidTemplate.maximumErrors
        {
            rest = rest[open.range.upperBound...]
            let close = closing(of: open.meant, in: rest)
            let fix = close.flatMap { LiquidMending.fix(String(text[open.range.lowerBound..<$0.upperBound])) }
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

    /// The first two signs that are or look like one of `wanted`, with at most invisible characters between them.
    private static func pair(
        _ wanted: [String], in scalars: Scalars, allowsPlain: Bool
    ) -> (range: Range<String.Index>, meant: String)? {
        var first: (index: String.Index, meant: String)?
        for index in scalars.indices {
            let meant = LiquidCharacter.replacement(for: scalars[index]) ?? String(scalars[index])
            guard !meant.isEmpty else { continue }
            if let first, wanted.contains(first.meant + meant) {
                let range = first.index..<scalars.index(after: index)
                if allowsPlain || String(scalars[range]) != first.meant + meant { return (range, first.meant + meant) }
            }
            first = (index, meant)
        }
        return nil
    }
}
