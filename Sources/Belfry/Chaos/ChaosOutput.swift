import EventLoop
import Foundation

/// Lines on standard output, each with the time since the beginning; seen at once even when the output is a pipe.
struct ChaosOutput: Sendable {
    private let began = MonotonicTime.now()

    func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    func tell(_ text: String) {
        let seconds = Int((MonotonicTime.now() - began).seconds)
        say("  \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)  \(text)")
    }
}

/// A line every few seconds: how many have their outcome, and how many more in each second.
struct ChaosProgress {
    private static let interval = Duration.seconds(3)

    private let devices: Int
    private var last: (time: MonotonicTime, answered: Int)?

    init(of devices: Int) {
        self.devices = devices
    }

    /// Nil when it is too early for another.
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
