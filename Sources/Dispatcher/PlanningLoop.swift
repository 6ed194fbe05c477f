import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// Starts what is due, plans runs ahead of the senders, and ends those that are through.
actor PlanningLoop {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let starts: RunStartStore
    private let plans: PlanStore
    private let finishes: FinishStore
    private let tools: SendingTools
    private let alarm: WakeUp
    /// Called when there are new batches.
    private let onPlanned: @Sendable () -> Void

    init(
        starts: RunStartStore, plans: PlanStore, finishes: FinishStore, tools: SendingTools, alarm: WakeUp,
        onPlanned: @escaping @Sendable () -> Void
    ) {
        self.starts = starts
        self.plans = plans
        self.finishes = finishes
        self.tools = tools
        self.alarm = alarm
        self.onPlanned = onPlanned
        loop = tools.loop
    }

    func run() async {
        while !tools.stop.isStopping {
            var hasMore = false
            do {
                hasMore = try await round()
            } catch let error as PostgresError where error.meansAbsence {
                tools.logger.warning("planning waits for the database", metadata: ["reason": "\(error)"])
            } catch {
                // Not a matter of waiting: somebody has to look at this.
                tools.logger.error("planning failed", metadata: ["reason": "\(error)"])
            }
            if !hasMore { await alarm.sleep(upTo: tools.options.poll * Double.random(in: 0.9...1.1)) }
        }
    }

    /// True when the next round should follow at once.
    private func round() async throws -> Bool {
        let strangers = try await tools.pauses.pauseStrangers()
        if strangers > 0 {
            tools.logger.warning("runs of before a restore or failover are paused", metadata: ["runs": "\(strangers)"])
            tools.onEvent?(.held(runs: strangers))
        }
        if try await starts.beginDue() > 0 { tools.logger.info("a scheduled campaign is due") }
        for run in try await starts.makeRuns(to: tools.destination) {
            tools.logger.info("run started", metadata: ["run": "\(run)"])
            tools.onEvent?(.runStarted(run))
        }
        var hasMore = false
        for run in try await plans.runsToPlan() {
            switch try await plans.step(run, lease: tools.options.planLease) {
            case .planned(let looked):
                tools.onEvent?(.planned(run, looked: looked))
                onPlanned()
                hasMore = true
            case .finished:
                tools.logger.info("run planned", metadata: ["run": "\(run)"])
                onPlanned()
            case .notOurs: break
            }
        }
        for end in try await finishes.finishRuns() { finished(end) }
        return hasMore
    }

    private func finished(_ end: FinishStore.Finished) {
        if end.isVerified {
            tools.logger.info("run finished, ledger verified", metadata: ["run": "\(end.run)"])
        } else {
            tools.logger.error("run finished, but its ledger does not add up", metadata: ["run": "\(end.run)"])
        }
        tools.onEvent?(.runFinished(end.run, isVerified: end.isVerified))
    }
}
