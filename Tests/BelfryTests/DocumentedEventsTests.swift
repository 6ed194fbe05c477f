import Foundation
import Logging
import TestSupport
import Testing

@testable import Belfry

/// Docs/logs.md lists the events of the log.
struct DocumentedEventsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    /// The longest name of an event.
    private static let maximumLength = 60

    @Test func documentListsTheEventsFromInfoOn() throws {
        let logged = try Self.loggedEvents()
        let documented = try Self.documentedEvents()
        #expect(documented.count > 80)
        #expect(Set(logged.keys).subtracting(documented).sorted() == [], "not in Docs/logs.md")
        #expect(documented.subtracting(logged.keys).sorted() == [], "in Docs/logs.md, and not in the program")
    }

    @Test func messagesAreFixedAndNameTheirEvent() throws {
        for (event, message) in try Self.loggedEvents() {
            #expect(!message.contains(#"\("#), "a message with a value in it: \(message)")
            #expect(event.count <= Self.maximumLength, "\(event)")
        }
    }

    @Test func fieldsHaveOtherNamesThanThoseOfEachLine() throws {
        var count = 0
        for text in try Self.sources() {
            for fields in text.matches(of: /metadata(?:Key: ("\w+")|: \[([^\]]*))/) {
                for name in "\(fields.1.map { "\($0):" } ?? "")\(fields.2 ?? "")".matches(of: /"(\w+)":/) {
                    count += 1
                    #expect(!LogLine.ownFields.contains(String(name.1)), "\(fields.0)")
                }
            }
        }
        #expect(count > 80)
    }

    /// The events of the table, which are code in its first column.
    private static func documentedEvents() throws -> Set<String> {
        let text = try String(contentsOf: root.appending(path: "Docs/logs.md"), encoding: .utf8)
        let (_, table) = text.split(separator: "## Events", maxSplits: 1).splat
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
        return Set(rows.flatMap { $0.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) } })
    }

    /// Messages of the sources by event, except those of the levels trace and debug alone.
    private static func loggedEvents() throws -> [String: String] {
        var events: [String: String] = [:]
        let calls: [Regex<(Substring, Substring)>] = [
            /(?s)(?:logger|level: \.warning\))\s*\.(?:info|notice|warning|error|critical)\((.*?)(?:metadata:|\)\s)/,
            /logger\.log\(level: \w+,([^:]*?)metadata:/,
            /utage\s*\.(?:failed|succeeded)\(([^:]*?)(?:because|at|in):/,
        ]
        for text in try sources() {
            for call in calls.flatMap({ text.matches(of: $0) }) {
                for literal in call.1.matches(of: /"((?:[^"\\]|\\.)+)"/) {
                    let message = String(literal.1)
                    let line = LogLine(level: .info, message: message, fields: [:], date: Date())
                    events[line.event] = message
                }
            }
        }
        return events
    }

    /// The texts of the program's files.
    private static func sources() throws -> [String] {
        var texts: [String] = []
        for folder in try FileManager.default.contentsOfDirectory(
            at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
        where !["Lab", "APNSSimulator"].contains(folder.lastPathComponent) {
            for file in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? [] {
                guard let file = file as? URL, file.pathExtension == "swift" else { continue }
                texts.append(try String(contentsOf: file, encoding: .utf8))
            }
        }
        return texts
    }
}

extension [Substring] {
    fileprivate var splat: (Substring, Substring) { (self[0], self[1]) }
}
