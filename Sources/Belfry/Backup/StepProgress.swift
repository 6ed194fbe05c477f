import EventLoop
import Foundation

/// Tells on standard error what a long command does, and how far it is.
struct StepProgress: Sendable {
    /// The time between two lines about the same step.
    static let interval = Duration.seconds(5)

    let loop: EventLoop
    private let start = MonotonicTime.now()

    init(on loop: EventLoop) { self.loop = loop }

    func say(_ text: String) {
        FileHandle.standardError.write(Data("\(Self.text(of: .now() - start))  \(text)\n".utf8))
    }

    /// Runs a step. If it is not over soon, `state` says now and then how far it is.
    func step<Value: Sendable>(
        _ text: String, state: @escaping @Sendable () -> String?, _ body: () async throws -> Value
    ) async throws -> Value {
        say(text)
        let reports = Task(executorPreference: loop) {
            while !Task.isCancelled {
                try await loop.sleep(for: Self.interval)
                if let state = state() { say("  \(state)") }
            }
        }
        defer { reports.cancel() }
        return try await body()
    }

    /// Such as "01:07" or "2:00:13".
    static func text(of duration: Duration) -> String {
        let seconds = Int(duration.components.seconds)
        let rest = [seconds / 60 % 60, seconds % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
        return seconds < 3_600 ? rest : "\(seconds / 3_600):\(rest)"
    }
}
