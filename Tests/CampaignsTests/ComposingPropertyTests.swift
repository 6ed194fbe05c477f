import Foundation
import JSON
import Notifications
import TestSupport
import Testing

@testable import Campaigns

@Suite(.timeLimit(.minutes(10)))
struct ComposingPropertyTests {
    /// The text that a placeholder wrote.
    private func text(_ composer: ContentComposer, _ row: RawRow) throws -> JSON? {
        guard case .bytes(let bytes) = composer.compose(row) else { return nil }
        _ = try JSONSerialization.jsonObject(with: Data(bytes))
        return try JSON(parsing: bytes)["aps"]?["alert"]
    }

    private func composer(_ template: String) throws -> ContentComposer {
        let content = TemplateContent(payload: ["aps": ["alert": .string(template)]])
        return ContentComposer(try CompiledContent(content, in: ContentContext()), now: sampleNow)
    }

    @Test(arguments: 0..<8)
    func anyUnicodeInAnyAttributeComesThroughAsItIs(seed: UInt64) throws {
        var random = RandomContent(generator: SeededGenerator(seed: seed))
        let composer = try composer("<{{ a }}>")
        let column = try self.composer("<{{ user_id }}>")
        for _ in 0..<600 {
            let value = random.text(1...60)

            let expected: JSON = value.isEmpty ? .null : .string("<\(value)>")
            #expect(try text(composer, RawRow(raw: [JSON.string(value).encoded()])) ?? .null == expected)
            #expect(try text(composer, RawRow(raw: [escapedThroughout(value)])) ?? .null == expected)
            #expect(try text(column, RawRow(raw: [Array(value.utf8)])) ?? .null == expected)
        }
    }

    /// A JSON string in which every unit of UTF-16 is an escape.
    private func escapedThroughout(_ text: String) -> [UInt8] {
        Array(("\"" + text.utf16.map { String(format: "\\u%04x", $0) }.joined() + "\"").utf8)
    }

    @Test(arguments: 0..<8)
    func theComposerWritesWhatTheReferenceWrites(seed: UInt64) throws {
        var random = RandomContent(generator: SeededGenerator(seed: seed))
        var (written, missing, tooLong) = (0, 0, 0)
        for _ in 0..<50 {
            let content = random.content()
            let context = ContentContext(messageIDKey: "i", defaultLocale: "de", defaultTimeZone: "Asia/Tokyo")
            let composer = ContentComposer(try CompiledContent(content, in: context), now: sampleNow)
            for _ in 0..<10 {
                let person = random.person()
                let reference = ReferenceRenderer(
                    content: content, context: context, person: person, now: sampleNow)

                let expected = try reference.compose()
                let composed = composer.compose(person)

                #expect(
                    composed == expected,
                    "\(composed.difference(from: expected))\n\(content.json.encoded().text)\n\(person)")
                switch expected {
                case .bytes: written += 1
                case .missing, .unusable: missing += 1
                case .tooLong: tooLong += 1
                }
            }
        }
        #expect(written > 50 && missing > 50, "\(written) written, \(missing) missing, \(tooLong) too long")
    }

    /// Neither the template's text nor a person's can end the string that it stands in: the tree has the same shape and
    /// keys whatever they hold.
    @Test(arguments: 0..<8)
    func nothingBreaksOutOfItsString(seed: UInt64) throws {
        var random = RandomContent(generator: SeededGenerator(seed: seed))
        let nasty = [
            "\"", "\\", "\\\"", "\",\"aps\":{\"badge\":9},\"x\":\"", "\n", "\u{0}", "\\u0022", "}}", "]", "\u{2028}",
        ]
        for _ in 0..<300 {
            let text = (0..<4).map { _ in
                Bool.random(using: &random.generator) ? nasty.randomElement(using: &random.generator)! : random.text()
            }.joined()
            // The characters that a template's own text and quotes may contain.
            let literal = String(text.unicodeScalars.filter { !"'{}%".unicodeScalars.contains($0) })
            let sources = [
                "\(literal){{ a }}", "{{ b | default: '\(literal)' }}",
                "{% if a %}{{ a | truncate: 9, '\(literal)' }}{% endif %}", "{{ a | upcase }}",
            ]
            let content = TemplateContent(
                payload: .object(sources.enumerated().map { JSON.Member("k\($0.offset)", .string($0.element)) }))
            let composer = ContentComposer(try CompiledContent(content, in: ContentContext()), now: 0)
            // As a text, and as bytes that are no JSON at all.
            let raw = [JSON.string("x" + text).encoded(), Array(("\"x" + text).utf8), Array(text.utf8)].randomElement(
                using: &random.generator)!
            let row = RawRow(raw: composer.content.needs.map { $0 == .attribute(["a"]) ? raw : nil })

            guard case .bytes(let bytes) = composer.compose(row) else { continue }
            _ = try JSONSerialization.jsonObject(with: Data(bytes))
            guard case .object(let members) = try JSON(parsing: bytes) else { throw NoText() }
            #expect(members.map(\.key) == ["k0", "k1", "k2", "k3", "i"])
            #expect(members.allSatisfy { if case .string = $0.value { true } else { false } })
        }
    }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension Composed {
    /// The two around the first byte that is not the same.
    fileprivate func difference(from other: Composed) -> String {
        guard case .bytes(let mine) = self, case .bytes(let its) = other else { return "\(self) and \(other)" }
        let start = max(zip(mine, its).prefix { $0 == $1 }.count - 30, 0)
        return "…\(Array(mine.dropFirst(start).prefix(90)).text)… and …\(Array(its.dropFirst(start).prefix(90)).text)…"
    }
}
