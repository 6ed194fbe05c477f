import Belfry
import EventLoop
import Foundation

/// Prints lines to standard output and flushes each.
struct ChaosOutput: Sendable {
    private let began = MonotonicTime.now()

    func printLine(_ text: String) {
        print(text)
        fflush(nil)
    }

    /// Prints a line with the time since the start.
    func log(_ text: String) {
        let seconds = Int((MonotonicTime.now() - began).seconds)
        printLine("  \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)  \(text)")
    }
}

/// Formats a progress line every few seconds: the share of recipients with an outcome, and the rate.
struct ChaosProgress {
    private static let interval = Duration.seconds(3)

    private let devices: Int
    private var last: (time: MonotonicTime, answered: Int)?

    init(of devices: Int) {
        self.devices = devices
    }

    /// Returns the next line; nil when none is due.
    mutating func line(_ answered: Int, now: MonotonicTime) -> String? {
        guard let before = last else {
            last = (now, answered)
            return nil
        }
        guard now - before.time >= Self.interval else { return nil }
        last = (now, answered)
        let rate = Int(Double(answered - before.answered) / (now - before.time).seconds)
        return "\("\(answered * 100 / max(devices, 1))".leftPadded(to: 3)) %  \(rate.grouped) a second"
    }
}
