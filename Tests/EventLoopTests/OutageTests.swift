import EventLoop
import Glibc
import Logging
import TestSupport
import Testing

struct OutageTests {
    private static let error = SystemError(operation: "connect", code: ECONNREFUSED)
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private func lines(of log: CapturedLog) -> [Substring] {
        log.text.split(separator: "\n").filter { !$0.hasPrefix("debug") }
    }

    @Test func outageIsLoggedWhenItBeginsAndWhenItEnds() {
        let log = CapturedLog()
        let logger = log.makeLogger()
        var outage = Outage()
        outage.succeeded("works again", at: start, in: logger)
        #expect(log.text.isEmpty)
        for second in 0..<100 {
            outage.failed("fails", because: Self.error, at: start + .seconds(second), in: logger)
        }
        #expect(outage.isOngoing)
        outage.succeeded("works again", at: start + .seconds(100), in: logger)
        outage.succeeded("works again", at: start + .seconds(101), in: logger)
        #expect(!outage.isOngoing)
        let lines = lines(of: log)
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("warning fails") == true && lines.first?.contains("refused") == true)
        #expect(lines.last?.hasPrefix("info works again") == true && lines.last?.contains("100 s") == true)
    }

    /// Ten minutes after it began, then after 20, 40 and so on.
    @Test func remindersComeAtIntervalsThatDouble() {
        let log = CapturedLog()
        let logger = log.makeLogger()
        var outage = Outage(firstReminder: .seconds(600))
        for second in 0..<3_600 {
            outage.failed("fails", because: Self.error, at: start + .seconds(second), in: logger)
        }
        let lines = lines(of: log)
        #expect(lines.count == 4)
        for (line, seconds) in zip(lines.dropFirst(), [600, 1_200, 2_400]) {
            #expect(line.hasPrefix("warning fails") && line.contains("\(seconds) s"))
        }
    }

    @Test func nextOutageIsLoggedLikeTheFirst() {
        let log = CapturedLog()
        let logger = log.makeLogger()
        var outage = Outage(firstReminder: .seconds(600))
        for hour in 0..<3 {
            outage.failed("fails", because: Self.error, at: start + .seconds(hour * 3_600), in: logger)
            outage.failed("fails", because: Self.error, at: start + .seconds(hour * 3_600 + 599), in: logger)
            outage.succeeded("works again", at: start + .seconds(hour * 3_600 + 700), in: logger)
        }
        #expect(lines(of: log).count == 6)
    }
}
