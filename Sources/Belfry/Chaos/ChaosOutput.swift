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
