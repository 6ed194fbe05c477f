import Foundation
import JSON
import Logging
import Testing

@testable import Belfry

struct LogLineTests {
    private static let source = LogSource(process: "web-1", host: "box", pid: 7)

    private func line(_ message: String, _ fields: Logger.Metadata = [:], level: Logger.Level = .warning) -> LogLine {
        LogLine(level: level, message: message, fields: fields, date: Date(timeIntervalSince1970: 1_795_851_612.345))
    }

    @Test func aLineForPeopleBeginsWithTimeLevelAndMessageAndEndsWithTheReason() {
        let text = line("run paused", ["run": "12", "reason": "Apple refuses the key", "app": "1"])
            .text(.text, from: Self.source)
        #expect(
            text == "2026-11-28T07:40:12.345Z warning run paused app=1 run=12 reason=\"Apple refuses the key\"\n")
    }

    @Test func aValueCannotLookLikeAnotherLine() {
        let text = line("x", ["reason": "a\n2026-11-28 error all is lost\u{1B}[2J", "empty": ""])
            .text(.text, from: Self.source)
        #expect(text.count { $0 == "\n" } == 1 && !text.contains("\u{1B}"))
        #expect(text.contains(#"empty="" reason="a\n2026-11-28 error"#))
        // The control characters of ISO 8859, and marks that turn the direction of writing.
        let other = line("x", ["a": "1\u{9B}2J", "b": "\u{202E}x"]).text(.text, from: Self.source)
        #expect(other.hasSuffix(#" a=1\u{009B}2J b=\u{202E}x"# + "\n"))
    }

    @Test func aLineForProgramsIsAnObjectWithItsEventAndSource() throws {
        var line = line("PostgreSQL not started, trying again", ["run": "12", "reason": "a\"b"], level: .error)
        line.repeats = (57, 60)
        let text = line.text(.json, from: Self.source)
        #expect(text.last == "\n")
        let json = try JSON(parsing: Array(text.utf8.dropLast()))
        guard case .object(let members) = json else { throw JSONError() }
        #expect(
            members.map(\.key) == [
                "time", "level", "event", "message", "process", "host", "pid", "run", "reason", "repeated",
                "in_seconds",
            ])
        #expect(json["event"]?.text == "postgresql_not_started_trying_again" && json["level"]?.text == "error")
        #expect(json["process"]?.text == "web-1" && json["host"]?.text == "box" && json["pid"]?.int == 7)
        #expect(json["reason"]?.text == "a\"b" && json["repeated"]?.int == 57 && json["in_seconds"]?.int == 60)
    }

    @Test func aFieldDoesNotHideTheTimeOrTheHost() throws {
        let text = line("x", ["time": "5 s", "host": "api.push.apple.com"]).text(.json, from: Self.source)
        guard case .object(let members) = try JSON(parsing: Array(text.utf8.dropLast())) else { throw JSONError() }
        #expect(Set(members.map(\.key)).count == members.count)
        #expect(members.first { $0.key == "host" }?.value.text == "box")
        #expect(members.first { $0.key == "field_host" }?.value.text == "api.push.apple.com")
    }

    private struct JSONError: Error {}
}
