import EventLoop
import Logging
import Store

/// Deletes what is older than the retention of its app, step by step. Between two steps it waits several times as long as
/// the step took, so that nothing else waits for it.
actor RetentionLoop {
    /// The time between two looks when nothing was due.
    private static let interval = Duration.seconds(60)
    /// The share of the time in which it deletes is one in five.
    private static let rest = 4.0

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let retention: RetentionStore
    private let dependencies: SendingDependencies
    /// Ends the pauses at shutdown.
    private let pause: WakeUpSignal

    init(retention: RetentionStore, dependencies: SendingDependencies, pause: WakeUpSignal) {
        self.retention = retention
        self.dependencies = dependencies
        self.pause = pause
        loop = dependencies.loop
    }

    func run() async {
        while !dependencies.stop.isStopping {
            let began = MonotonicTime.now()
            var deleted = 0
            do {
                deleted = try await retention.deleteStep()
            } catch {
                dependencies.logger.warning("old data not deleted", metadata: ["reason": "\(error)"])
            }
            if deleted > 0 { dependencies.logger.info("old data deleted", metadata: ["rows": "\(deleted)"]) }
            await pause.sleep(
                upTo: deleted > 0 ? (.now() - began) * Self.rest : Self.interval * Double.random(in: 0.9...1.1))
        }
    }
}
