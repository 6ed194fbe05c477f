import Foundation
import Testing

/// All errors that a person can expect, read from the places where they are declared.
struct ErrorVocabularyTests {
    /// A code where it is declared: its status or kind, and the beginning of its text.
    private struct Entry: Hashable {
        let code: String
        let kind: String
        let text: String
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    private static let places = [
        "Sources/Campaigns/Refusals", "Sources/Administration/Refusals", "Sources/API/Errors",
    ]
    private let entries: [Entry]

    init() throws {
        entries = try Self.places.flatMap { place in
            try Self.swiftFiles(place).filter { !$0.path.hasSuffix("/ErrorRendering.swift") }.flatMap { file in
                Self.entries(in: try String(contentsOf: file, encoding: .utf8))
            }
        }
    }

    private static func swiftFiles(_ folder: String) throws -> [URL] {
        let names = try #require(FileManager.default.enumerator(atPath: root.appending(path: folder).path))
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map {
            root.appending(path: "\(folder)/\($0)")
        }
    }

    private static func entries(in source: String) -> [Entry] {
        let declaration =
            /(\w+)\(\s*(?:\.(\w+)(?:\([^)]*\))?,\s*)?"([a-z]+(?:-[a-z]+)+)",\s*(?:field: "[^"]*",\s*)?(?:"([^"]*)")?/
        return source.matches(of: declaration).map { match in
            Entry(
                code: String(match.3), kind: String(match.2 ?? match.1), text: match.4.map { String($0) } ?? "")
        }
    }

    @Test func everyCodeIsInTheTableOfErrorCodes() throws {
        let docs = try String(contentsOf: Self.root.appending(path: "Docs/api.md"), encoding: .utf8)
        let table = try #require(docs.split(separator: "## Error codes").last)
        #expect(Set(entries.map(\.code)).count > 120)
        for entry in entries { #expect(table.contains("`\(entry.code)`"), "\(entry.code)") }
    }

    /// A code means one thing. These have several texts, which say to different callers what to do.
    @Test func oneCodeHasOneTextAndOneKind() {
        let doubles = Dictionary(grouping: Set(entries), by: \.code).filter { $0.value.count > 1 }
        #expect(
            Set(doubles.keys) == [
                "address-not-allowed", "identity-unverified", "invalid-activity",
                "invalid-name", "invalid-period", "permission-missing", "scope-missing", "transition-not-allowed",
                "unknown-time-zone", "unsupported-media-type",
            ])
        let kinds = doubles.filter { Set($0.value.map(\.kind)).count > 1 }
        // In a parameter it is a wrong request, in a body a value that is not accepted.
        #expect(Set(kinds.keys) == ["unknown-time-zone"])
    }

    @Test func oneTextHasOneCode() {
        let texts = Dictionary(grouping: entries.filter { !$0.text.isEmpty }, by: \.text)
        let doubles = texts.filter { Set($0.value.map(\.code)).count > 1 }.values.map { Set($0.map(\.code)) }
        // Clients know both.
        #expect(doubles == [["invalid-flag", "invalid-parameter"]])
    }

    /// Everywhere else, errors are thrown by their names.
    @Test func noErrorIsMadeElsewhere() throws {
        let making =
            /(?:Refusal|APIError|\.badRequest|\.conflict|\.forbidden|\.unauthorized|\.unavailable|\.tooManyRequests)\(\s*(?:\.\w+,\s*)?"/
        for file in try Self.swiftFiles("Sources") where !Self.places.contains(where: file.path.contains) {
            let source = try String(contentsOf: file, encoding: .utf8)
            #expect(source.firstMatch(of: making) == nil, "\(file.lastPathComponent)")
        }
    }
}
