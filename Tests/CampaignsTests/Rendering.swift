import Foundation
import JSON
import Notifications

@testable import Campaigns

/// The result of a text for a person.
enum Rendering: Equatable, CustomStringConvertible {
    case text(String)
    case missing(Field)
    case unusable(Field)
    case tooLong

    var description: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .missing(let field): "missing \(field)"
        case .unusable(let field): "\(field) is not usable"
        case .tooLong: "too long"
        }
    }
}

/// A recipient's columns as PostgreSQL's binary rows hold them: texts as they are, `jsonb` as a 1 and JSON. They lie in
/// memory of their own size, so that a sanitizer notices a step beyond.
final class RawRow {
    private let columns: [UnsafeMutableRawBufferPointer?]

    init(_ needs: [Field], _ person: RecipientProfile) {
        columns = needs.map { field in
            guard let value = person.value(of: field) else { return nil }
            switch (field, value) {
            case (.device, .string(let text)): return Self.memory(Array(text.utf8))
            default: return Self.memory([1] + value.encoded())
            }
        }
    }

    /// Bytes as they are, of an attribute or a column.
    init(raw: [[UInt8]?]) {
        columns = raw.map { $0.map(Self.memory) }
    }

    deinit {
        for column in columns { column?.deallocate() }
    }

    private static func memory(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
        return memory
    }

    subscript(place: Int) -> UnsafeRawBufferPointer? { columns[place].map { UnsafeRawBufferPointer($0) } }
}

enum Composed: Equatable {
    case bytes([UInt8])
    case missing(Field)
    case unusable(Field)
    case tooLong
}

let sampleID = MessageID(messageNumber: 5, device: 6, tag: .max)
/// 2026-03-01T18:30:05Z
let sampleNow = 1_772_389_805

extension ContentComposer {
    /// In a buffer of just the size that is allowed, with guards around it.
    func compose(_ row: RawRow, room: Int = 5_120) -> Composed {
        let guardSize = 16
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room + 2 * guardSize, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0xee)
        let buffer = UnsafeMutableRawBufferPointer(rebasing: memory[guardSize..<guardSize + room])
        let outcome = Array(sampleID.text.utf8).withUnsafeBytes { id in
            compose(values: { row[$0] }, id: id, into: buffer)
        }
        let isIntact = (memory.prefix(guardSize) + memory.suffix(guardSize)).allSatisfy { $0 == 0xee }
        precondition(isIntact, "written beyond the buffer")
        switch outcome {
        case .written(let count): return .bytes(Array(buffer[..<count]))
        case .missing(let place): return .missing(content.needs[place])
        case .unusable(let place): return .unusable(content.needs[place])
        case .tooLong: return .tooLong
        }
    }

    func compose(_ person: RecipientProfile, room: Int = 5_120) -> Composed {
        compose(RawRow(content.needs, person), room: room)
    }
}

/// A template's text for a person, out of a payload that holds nothing else.
func render(
    _ template: String, _ person: RecipientProfile, in context: ContentContext = ContentContext()
) throws -> Rendering {
    let content = TemplateContent(payload: .object([JSON.Member("t", .string(template))]))
    let composer = ContentComposer(try CompiledContent(content, in: context), now: sampleNow)
    switch composer.compose(person) {
    case .bytes(let bytes):
        guard case .string(let text) = try JSON(parsing: bytes)["t"] else { throw NoText() }
        return .text(text)
    case .missing(let field): return .missing(field)
    case .unusable(let field): return .unusable(field)
    case .tooLong: return .tooLong
    }
}

struct NoText: Error {}

extension RecipientProfile {
    /// With attributes as JSON.
    init(_ attributes: String, locale: String? = nil, timeZone: String? = nil, osVersion: String? = nil) throws {
        self.init(
            locale: locale, timeZone: timeZone, osVersion: osVersion, attributes: try JSON(parsing: attributes))
    }
}
