import EventLoop
import Foundation
import JSON
import Notifications
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
            #expect(bad.output.contains("stored   1") && bad.output.contains("line 2: installation is required"))
            let report = try JSON(parsing: [UInt8](Data(contentsOf: served.folder.appending(path: "report.json"))))
            #expect(report["failed"] == 1)

            // A file that is rejected as a whole.
            #expect(try await importing("odd.csv", "tokn\n", into: served).status == 1)
            #expect(try await importing("odd.txt", "", into: served).status == 64)
            #expect(try await importing("odd.csv", "", ["--url", "http://127.0.0.1:1"], into: served).status == 1)
        }
    }
}

struct ImportProgressTests {
    private static let start = MonotonicTime(nanoseconds: 0)

    @Test func terminalShowsABar() {
        var progress = ImportProgress(size: 1_000, isLive: true, now: Self.start)
        progress.took(Array(repeating: UInt8(ascii: "\n"), count: 250))
        #expect(progress.line(now: Self.start + .milliseconds(199)) == nil)
        #expect(
            progress.line(now: Self.start + .seconds(1))
                == "[#######-----------------------]  25 %  about 250 lines, 250/s, 3 s left")
        #expect(progress.line(now: Self.start + .milliseconds(1_100)) == nil)
    }

    @Test func fileGetsALineForEachTenPercent() {
        var progress = ImportProgress(size: 1_000, isLive: false, now: Self.start)
        var lines: [String] = []
        for step in 1...20 {
            progress.took(Array(repeating: UInt8(ascii: "\n"), count: 50))
            if let line = progress.line(now: Self.start + .seconds(step)) { lines.append(line) }
        }
        #expect(lines.count == 10)
        #expect(lines.first == "10 %  about 100 lines, 50/s")
        #expect(lines.last == "100 %  about 1,000 lines, 50/s")
    }

    @Test func numbersAreGrouped() {
        #expect([0, 999, 1_000, 1_234_567].map(\.grouped) == ["0", "999", "1,000", "1,234,567"])
    }
}
