import JSON
import Notifications

@testable import Campaigns

/// A template that compiles must render JSON within the buffer and within the reported size, whatever the values are.
///
/// The input is a template. After a zero byte may follow bytes that stand for each value, even if they are not JSON.
enum TemplateTarget {
    /// In bytes; larger than a payload may be.
    private static let bufferSize = 6_000
    /// 2026-03-01T18:30:05Z
    private static let now = 1_772_389_805

    static func check(_ input: [UInt8]) throws {
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let text = JSON.string(String(decoding: parts[0], as: UTF8.self))
        let content = TemplateContent(
            payload: ["aps": ["alert": text], "custom": [text]],
            variants: [.init(locale: "tr", payload: ["aps": ["alert": ["title": text]]])])
        let context = ContentContext(defaultLocale: "de", defaultTimeZone: "Asia/Tokyo")
        guard let compiled = try? CompiledContent(content, in: context) else {
            return try Disagreement.unless(
                content.report(in: context).hasErrors, "content without errors does not compile")
        }
        let composer = ContentComposer(compiled, now: now)
        if parts.count > 1 {
            // The same bytes in each column.
            _ = try compose(composer, compiled.needs.map { _ in Array(parts[1]) })
        } else {
            for person in people { try render(content, composer, for: person) }
        }
    }

    private static func render(
        _ content: TemplateContent, _ composer: ContentComposer, for person: RecipientProfile
    ) throws {
        let values = composer.content.needs.map { field -> [UInt8]? in
            switch (field, person.value(of: field)) {
            case (_, nil): nil
            case (.device, .string(let text)?): Array(text.utf8)
            case (_, let value?): [1] + value.encoded()
            }
        }
        guard let bytes = try compose(composer, values) else { return }
        let context = ContentContext(
            defaultLocale: composer.content.defaultLocale, defaultTimeZone: composer.content.defaultTimeZone,
            longestValues: longestValues(of: person))
        let report = content.report(in: context)
        guard !report.hasErrors else { return }
        let size = report.sizes[composer.variant(for: person.locale)]
        try Disagreement.unless(
            size.least...size.worst ~= bytes, "\(bytes) bytes, but the report says \(size.least) to \(size.worst)")
    }

    /// Returns the size of the payload if it is written.
    private static func compose(_ composer: ContentComposer, _ values: [[UInt8]?]) throws -> Int? {
        // Memory of their own sizes, so that the sanitizer notices a step beyond.
        let columns = values.map { $0.map(copy) }
        let id = copy(Array(MessageID(messageNumber: 5, device: 6, tag: .max).text.utf8))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)
        defer {
            for column in columns { column?.deallocate() }
            id.deallocate()
            buffer.deallocate()
        }
        switch composer.compose(values: { columns[$0] }, id: id, into: buffer) {
        case .missing(let index), .unusable(let index):
            try Disagreement.unless(composer.content.needs.indices.contains(index), "missing field \(index)")
            return nil
        case .tooLong: return nil
        case .written(let count):
            try Disagreement.unless(count <= composer.content.limit, "\(count) bytes are more than the limit")
            let bytes = Array(buffer[..<count])
            do {
                _ = try JSON(parsing: bytes)
            } catch {
                throw Disagreement(description: "\(error): \(String(decoding: bytes, as: UTF8.self))")
            }
            return count
        }
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(memory)
    }

    // MARK: People

    private static let people = [
        RecipientProfile(),
        RecipientProfile(
            userID: "u1", locale: "de_DE", timeZone: "Europe/Berlin", osVersion: "17.4.1", appVersion: "1.10",
            model: "iPhone15,2",
            attributes: [
                "a": "Anna", "n": 12.50, "b": true, "d": "2026-03-01", "l": ["x", 1], "o": ["c": "Köln", "z": 0],
                "e": "", "u": .null, "t": "1772389805",
            ]),
        RecipientProfile(
            userID: "İ\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", locale: "tr", timeZone: "Nowhere", osVersion: "x",
            attributes: [
                "a": "„Ä\"\\\n\u{1}ß Σς", "n": -10_000_000_000, "b": false, "d": "2026-07-15T23:59:59Z", "l": [],
                "o": "text", "e": " ", "t": 1e300,
            ]),
    ]

    private static func longestValues(of person: RecipientProfile) -> [Field: JSON] {
        var values: [Field: JSON] = [:]
        for field in DeviceField.allCases.map(Field.device) { values[field] = person.value(of: field) }
        if case .object(let members) = person.attributes {
            for member in members { values[.attribute([member.key])] = member.value }
        }
        return values
    }
}
