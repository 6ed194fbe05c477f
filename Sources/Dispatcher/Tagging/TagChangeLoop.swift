import Application
import Campaigns
import EventLoop
import JSON
import Logging
import Postgres
import Store

/// Makes changes of tags step by step. Between two steps it waits as long as the step took, so that registrations have
/// at least half of the time.
actor TagChangeLoop {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let steps: TagChangeSteps
    private let dependencies: SendingDependencies
    private let signal: WakeUpSignal
    /// Ends the pauses between steps at shutdown.
    private let pause: WakeUpSignal
    private var outage = Outage()

    init(steps: TagChangeSteps, dependencies: SendingDependencies, signal: WakeUpSignal, pause: WakeUpSignal) {
        self.steps = steps
        self.dependencies = dependencies
        self.signal = signal
        self.pause = pause
        loop = dependencies.loop
    }

    func run() async {
        while !dependencies.stop.isStopping {
            var madeSteps = false
            do {
                madeSteps = try await round()
                outage.succeeded("changes of tags go on", in: dependencies.logger)
            } catch {
                outage.failed("changes of tags waiting", because: error, in: dependencies.logger)
            }
            if !madeSteps { await signal.sleep(upTo: dependencies.options.poll * Double.random(in: 0.9...1.1)) }
        }
    }

    /// Makes one step of each change. Whether it made any.
    private func round() async throws -> Bool {
        var madeSteps = false
        for change in try await steps.running() where !dependencies.stop.isStopping {
            let began = MonotonicTime.now()
            switch try await step(change) {
            case .made: madeSteps = true
            case .finished:
                dependencies.logger.info(
                    "change of tags finished", metadata: ["app": "\(change.app)", "change": "\(change)"])
            case .skipped: continue
            }
            await pause.sleep(upTo: .now() - began)
        }
        return madeSteps
    }

    /// A change that fails for its own sake ends, so that it does not fail again and again.
    private func step(_ change: TagChange.Key) async throws -> TagChangeSteps.Step {
        do {
            return try await steps.step(change)
        } catch let error as PostgresError where error.isFaultOfDatabase {
            throw error
        } catch {
            dependencies.logger.error(
                "change of tags failed",
                metadata: ["app": "\(change.app)", "change": "\(change)", "reason": "\(error)"])
            try await steps.fail(change, because: "A step failed: \(reasonForPeople(error))")
            return .skipped
        }
    }
}
