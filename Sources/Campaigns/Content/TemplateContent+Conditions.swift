import JSON
import Notifications

/// Warnings about conditions that hold for nobody or for everybody, whatever their author thinks.
extension ContentText {
    /// Texts that a field of the device never has, and parts that it never contains.
    var comparisonWarnings: [Problem] {
        template.nodes.comparisons.compactMap { comparison in
            switch (comparison.left, comparison.right) {
            case (.field(.device(let field)), .text(let text)) where comparison.sign == .contains:
                field.containsNever(text).map {
                    warning("tests whether \(field.rawValue) contains \(text), which it never does\($0)")
                }
            case (.field(.device(let field)), .text(let text)), (.text(let text), .field(.device(let field))):
                // Without a text, `locale != ""` asks whether there is a value.
                !text.isEmpty && field.stored(text) == nil
                    ? warning("compares \(field.rawValue) with \(text), which no device has") : nil
            default: nil
            }
        }
    }

    private func warning(_ message: Message) -> Problem { .warning(path, "never-matches", message) }

    /// Names that stand where a text was meant: `plan != gold`.
    func unquoted(_ unknown: Set<Field>) -> [Field] {
        template.nodes.comparisons.compactMap { comparison in
            guard case .field(let field) = comparison.right, case .attribute(let path) = field, path.count == 1,
                unknown.contains(field)
            else { return nil }
            return field
        }
    }
}

extension DeviceField {
    /// Nil if a value of the field can contain the text; else a suggestion, or an empty text.
    fileprivate func containsNever(_ text: String) -> Message? {
        switch self {
        case .timeZone:
            guard !ZoneName.all.contains(where: { $0.contains(text) }) else { return nil }
            let part = text.lowercased()
            return suggestion(
                ZoneName.all.first { $0.lowercased().contains(part) }
                    ?? ZoneName.names { $0.contains(part) }.first)
        case .locale, .language:
            guard let tag = try? LocaleTag(text) else { return nil }
            let meant = self == .locale ? tag.text : tag.language
            return meant.utf8.elementsEqual(text.utf8) ? nil : suggestion(meant)
        case .userID, .osVersion, .appVersion, .model: return nil
        }
    }

    private func suggestion(_ meant: String?) -> Message { meant.map(Spelling.suggestion) ?? "" }
}

extension LiquidMending {
    /// Puts a name that a comparison has on its right side into quotes, in the first tag with one.
    static func quoting(_ name: String, in text: String) -> Problem.Fix? {
        let source = Array(text.utf8)
        let starts = source.indices.dropLast().filter {
            source[$0] == UInt8(ascii: "{") && source[$0 + 1] == UInt8(ascii: "%")
        }
        for start in starts {
            let ends = (start + 2..<source.count).dropLast()
            guard
                let end = ends.first(where: {
                    source[$0] == UInt8(ascii: "%") && source[$0 + 1] == UInt8(ascii: "}")
                }),
                let tokens = try? LiquidLexer.tokens(of: start + 2..<end, in: source)
            else { continue }
            let offsets = zip(tokens, tokens.dropFirst()).compactMap { sign, word in
                sign.isComparison && word.kind == .word(name) ? word.offset : nil
            }
            guard !offsets.isEmpty else { continue }
            var tag = Array(source[start..<end + 2])
            for offset in offsets.reversed() {
                tag.replaceSubrange(offset - start..<offset - start + name.utf8.count, with: Array("\"\(name)\"".utf8))
            }
            return Problem.Fix(
                from: String(decoding: source[start..<end + 2], as: UTF8.self), to: String(decoding: tag, as: UTF8.self)
            )
        }
        return nil
    }
}

extension LiquidToken {
    fileprivate var isComparison: Bool {
        switch kind {
        case .sign(let sign): sign == "<>" || LiquidComparison(rawValue: sign) != nil
        case .word(let word): word == LiquidComparison.contains.rawValue
        case .text, .number, .end: false
        }
    }
}
