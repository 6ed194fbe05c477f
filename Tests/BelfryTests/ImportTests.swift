import EventLoop
import Foundation
import JSON
import Notifications
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// `belfry import` against `belfry serve`, on a database in the folder.
    @Suite struct ImportTests {
        private static func importing(
            _ file: String, _ text: String, _ more: [String] = [], into served: ServeFixture
        ) async throws -> BelfryProcess.Ending {
            try text.write(to: served.folder.appending(path: file), atomically: true, encoding: .utf8)
            return try await served.belfry("import", [file] + more)
        }

        @Test func fileIsImportedAndFailedLinesAreReported() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder) { try await Self.importsAndRefuses($0) }
            }
        }

        private static func importsAndRefuses(_ served: ServeFixture) async throws {
            let lines = (1...3_000).map { "i\($0),\(String($0 + 4_096, radix: 16)),production" }
            let header = "installation,token,environment\n"
            let good = try await importing("good.csv", header + lines.joined(separator: "\n"), into: served)
            #expect(good.status == 0)
            #expect(good.output.contains("stored   3,000") && good.output.contains("failed   0"))

            let bad = try await importing(
                "bad.jsonl", "{\"installation\":\"i1\"}\n{}\n", ["--report", "report.json"], into: served)
            #expect(bad.status == 1)
            #expect(bad.output.contains("stored   1"))
            #expect(bad.output.contains("line 2: installation or a token is required"))
            let report = try JSON(parsing: [UInt8](Data(contentsOf: served.folder.appending(path: "report.json"))))
            #expect(report["failed"] == 1)

            let sheet = "Token;Place\n" + String(repeating: "ab", count: 32) + ";Bern\n"
            let mapped = ["--environment", "production", "--columns", "token,attr.place"]
            let other = try await importing("sheet.tsv", sheet, mapped, into: served)
            #expect(other.status == 0 && other.output.contains("stored   1"))

            // A file that is rejected as a whole.
            #expect(try await importing("odd.csv", "tokn\n", into: served).status == 1)
            #expect(try await importing("odd.txt", "", into: served).status == 1)
            let book = try await importing("sheet.xlsx", "PK\u{3}\u{4}", into: served)
            #expect(book.status == 1)
            // The content tells the format, whatever the name is.
            let list = try await importing(
                "list.txt", "[\n  {\"installation\": \"i1\"},\n  {\"installation\": \"i2\"}\n]", into: served)
            #expect(list.status == 0 && list.output.contains("stored   2"))
            #expect(try await importing("odd.csv", "", ["--url", "http://127.0.0.1:1"], into: served).status == 1)
        }
    }
}

struct ImportProgressTests {
    private static let start = MonotonicTime(nanoseconds: 0)

    private static func progress(isLive: Bool, bytes: Int, stored: Int, failed: Int = 0) -> ImportProgress {
        var progress = ImportProgress(size: 1_000, isLive: isLive, now: start)
        progress.sent = 900
        progress.received = ImportProgress.Received(bytes: bytes, stored: stored, failed: failed)
        return progress
    }

    /// The bar shows what the server has read, and the lines that it has stored.
    @Test func terminalShowsABar() {
        var progress = Self.progress(isLive: true, bytes: 250, stored: 240, failed: 2)
        #expect(progress.line(now: Self.start + .milliseconds(199)) == nil)
        #expect(
            progress.line(now: Self.start + .seconds(1))
                == "[#######-----------------------]  25 %  240 lines stored, 240/s, 2 failed, 3 s left")
        #expect(progress.line(now: Self.start + .milliseconds(1_100)) == nil)
    }

    @Test func serverThatDoesNotKnowTheImportLeavesWhatWasSent() {
        var progress = Self.progress(isLive: false, bytes: 0, stored: 0)
        progress.received = nil
        #expect(progress.line(now: Self.start + .seconds(1)) == "90 %  sent")
    }

    @Test func fileGetsALineForEachTenPercent() {
        var progress = Self.progress(isLive: false, bytes: 0, stored: 0)
        var lines: [String] = []
        for step in 1...20 {
            progress.received = ImportProgress.Received(bytes: step * 50, stored: step * 50, failed: 0)
            if let line = progress.line(now: Self.start + .seconds(step)) { lines.append(line) }
        }
        #expect(lines.count == 10)
        #expect(lines.first == "10 %  100 lines stored, 50/s")
        #expect(lines.last == "100 %  1,000 lines stored, 50/s")
    }

    @Test func summaryNamesLinesThatWereChangedAndColumnsThatWereLeftOut() {
        let problem: JSON = ["path": "time_zone", "message": "is not a known time zone"]
        let text = Import.summary(
            of: [
                "lines": 4, "stored": 2, "failed": 0, "left_out": 2, "failures": [],
                "changes": [["line": 7, "problems": [problem]]], "warnings": ["unknown-time-zone": 1],
                "file": ["columns_left_out": ["ip", "country"]],
            ], after: .seconds(1))
        #expect(text.contains("4 lines in 1 s") && text.contains("left out 2"))
        #expect(text.contains("line 7: time_zone is not a known time zone"))
        #expect(text.contains("columns left out: ip, country"))
    }

    @Test func oneLineIsNotCalledLines() {
        var progress = Self.progress(isLive: false, bytes: 1_000, stored: 1)
        #expect(progress.line(now: Self.start + .seconds(1)) == "100 %  1 line stored, 1/s")
        let text = Import.summary(of: ["lines": 1, "stored": 1, "failed": 0], after: .seconds(1))
        #expect(text.hasPrefix("1 line in 1 s (1/s)\n"))
    }

    @Test func oneOfSomethingReadsLikeMany() {
        let report: JSON = ["lines": 1, "newer": 1, "opt_outs_kept": 1, "opt_outs_removed": 2]
        let text = Import.summary(of: report, after: .seconds(1))
        #expect(text.contains("  newer than the file, left as they are: 1. Say with --as-of"))
        #expect(text.contains("  opt-outs kept that the file does not have: 1. ") && text.contains("removed: 2"))
    }

    @Test func numbersAreGrouped() {
        #expect([0, 999, 1_000, 1_234_567].map(\.grouped) == ["0", "999", "1,000", "1,234,567"])
    }
}
