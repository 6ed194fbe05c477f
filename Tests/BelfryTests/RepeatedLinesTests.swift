import EventLoop
import Foundation
import Glibc
import Logging
import Testing

@testable import Belfry

struct RepeatedLinesTests {
    private let start = MonotonicTime.now()

    private func line(
        _ reason: String, run: String? = nil, batch: Int = 0, level: Logger.Level = .warning
    ) -> LogLine {
        var fields: Logger.Metadata = ["reason": "\(reason)", "batch": "\(batch)"]
        if let run { fields["run"] = "\(run)" }
        return LogLine(level: level, message: "batch lost", fields: fields, date: Date())
    }

    /// `#expect` can't call mutating functions.
    private final class Lines {
        private var lines = RepeatedLines()

        func mustWrite(_ line: LogLine, at now: MonotonicTime) -> Bool { lines.mustWrite(line, at: now) }
        func due(at now: MonotonicTime) -> [LogLine] { lines.due(at: now) }
    }

    @Test func theFirstIsWrittenAndTheOthersOfAMinuteAreCounted() throws {
        let repeated = Lines()
        let written = (0..<1_000).count { repeated.mustWrite(line("gone", batch: $0), at: start) }
        #expect(written == 1)
        #expect(repeated.due(at: start + .seconds(59)).isEmpty)
        let due = repeated.due(at: start + .seconds(61))
        let last = try #require(due.first)
        #expect(due.count == 1 && last.repeats?.count == 999 && last.repeats?.seconds == 61)
        #expect(last.fields["batch"] == "999")
    }

    @Test func anotherReasonOrRunIsAnotherLine() {
        let repeated = Lines()
        for line in [line("a"), line("b"), line("a", run: "1"), line("a", run: "2"), line("a", level: .error)] {
            #expect(repeated.mustWrite(line, at: start))
        }
        #expect(!repeated.mustWrite(line("a", run: "2"), at: start))
    }

    @Test func aFailureThatGoesOnIsWrittenOnceAMinute() {
        let repeated = Lines()
        var written = 0
        for second in 0..<300 {
            let now = start + .seconds(second)
            written += repeated.due(at: now).count + (repeated.mustWrite(line("gone"), at: now) ? 1 : 0)
        }
        #expect(written == 5)
    }

    @Test func aLineThatWasNotRepeatedIsForgottenAfterAMinute() {
        let repeated = Lines()
        _ = repeated.mustWrite(line("gone"), at: start)
        #expect(repeated.due(at: start + .seconds(61)).isEmpty)
        #expect(repeated.mustWrite(line("gone"), at: start + .seconds(62)))
    }

    @Test func informationIsNeverHeldBack() {
        let repeated = Lines()
        #expect((0..<5).allSatisfy { _ in repeated.mustWrite(line("same", level: .notice), at: start) })
    }

    @Test func moreDifferentLinesThanAreCountedAreWritten() {
        let repeated = Lines()
        let all = (0...RepeatedLines.limit).map { line("\($0)") }
        #expect(all.allSatisfy { repeated.mustWrite($0, at: start) })
        #expect(!repeated.mustWrite(line("0"), at: start))
        #expect(repeated.mustWrite(line("\(RepeatedLines.limit)"), at: start))
    }

    @Test func countsAreWrittenAtTheEnd() throws {
        let pipe = Pipe()
        let output = LogOutput(.text, from: ProcessName("w"), to: pipe.fileHandleForWriting.fileDescriptor)
        let logger = output.logger(level: .info)
        for number in 0..<3 { logger.error("batch lost", metadata: ["batch": "\(number)", "reason": "gone"]) }
        logger.debug("not logged")
        #expect(output.counts.map(\.lines) == [0, 3, 0])
        output.writeCounts()
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try #require(try pipe.fileHandleForReading.readToEnd()), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1)[1] }
        #expect(
            lines == [
                "error batch lost batch=0 reason=gone", "error batch lost batch=2 reason=gone repeated=2 in_seconds=0",
            ])
    }
}
