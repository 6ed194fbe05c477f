import Foundation
import Testing

/// The guide Docs/kit.md against the sample app, which is compiled, and against the tests that it names.
@Suite struct GuideTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardized

    /// The lines of a text without their indentation, which differs between the guide and its files.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func files(in folder: String, _ extensions: Set<String>) throws -> [(name: String, text: String)] {
        let files = try #require(
            FileManager.default.enumerator(at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil))
        return try files.compactMap { $0 as? URL }.filter { extensions.contains($0.pathExtension) }
            .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }

    private static func guide() throws -> String {
        try String(contentsOf: root.appendingPathComponent("Docs/kit.md"), encoding: .utf8)
    }

    /// The blocks of code in a language; a line … stands for left out lines, also between two pieces of one file.
    private static func blocks() throws -> [[[String]]] {
        var blocks: [[[String]]] = []
        var isInside = false
        for line in lines(try guide()) {
            if isInside, line == "```" {
                isInside = false
            } else if isInside, line == "…" {
                blocks[blocks.count - 1].append([])
            } else if isInside {
                blocks[blocks.count - 1][blocks[blocks.count - 1].count - 1].append(line)
            } else if ["```swift", "```objc"].contains(line) {
                isInside = true
                blocks.append([[]])
            }
        }
        return blocks
    }

    private static func contains(_ file: [String], _ pieces: [[String]]) -> Bool {
        var rest = file[...]
        for piece in pieces {
            guard let start = rest.indices.first(where: { rest[$0...].starts(with: piece) }) else { return false }
            rest = rest[(start + piece.count)...]
        }
        return true
    }

    @Test func eachBlockOfCodeIsInTheSampleApp() throws {
        let files = try Self.files(in: "Docs/SampleApp", ["swift", "m"]).map { Self.lines($0.text) }
        let blocks = try Self.blocks()
        #expect(blocks.count > 10)
        for block in blocks {
            #expect(files.contains { Self.contains($0, block) }, "\(block.joined().joined(separator: "\n"))")
        }
    }

    @Test func eachTestThatTheGuideNamesExists() throws {
        let tests = try Self.files(in: "Kit/Tests", ["swift"]) + Self.files(in: "Tests", ["swift"])
        var count = 0
        for part in try Self.guide().split(separator: "`") {
            let names = part.split(separator: "/")
            guard names.count == 2, names[0].hasSuffix("Tests"), !part.contains(" ") else { continue }
            guard names[0] != "Kit" else { continue }
            count += 1
            let isFound = tests.contains {
                $0.text.contains("struct \(names[0]) ") && $0.text.contains("func \(names[1])(")
            }
            #expect(isFound, "\(part)")
        }
        #expect(count > 20)
    }
}
