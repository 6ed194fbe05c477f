import Application
import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// Starts what is due, plans runs ahead of the senders, and ends those that are through.
actor PlanningLoop {
    /// Between looks at PostgreSQL's statistics, which may be far behind after an import.
    private static let statisticsInterval = Duration.seconds(5)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let starter: CampaignStarter
    private let rules: PlanRuleStore
    private let plans: PlanStore
    private let late: LateStore
    private let finishes: FinishStore
    private let statistics: StatisticsStore
    private var nextStatistics = MonotonicTime.now()
    private var underWay: [Run.ID: OpenPlan] = [:]
    private let tools: SendingTools
    private let alarm: WakeUp
    /// Called when there are new batches.
    private let onPlanned: @Sendable () -> Void

    init(
        stores: Stores, owner: ProcessID, media: any MediaFinder, tools: SendingTools, alarm: WakeUp,
        onPlanned: @escaping @Sendable () -> Void
    ) {
        starter = CampaignStarter(stores: stores, contents: Contents(stores: stores, media: media))
        rules = stores.planRules
        plans = stores.plans(owner: owner)
        late = stores.late
        finishes = stores.finishes
        statistics = stores.statistics
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
        _ = try await tools.clock.now()
        let strangers = try await tools.pauses.pauseStrangers()
        if strangers > 0 {
            tools.logger.warning("runs of before a restore or failover are paused", metadata: ["runs": "\(strangers)"])
            tools.onEvent?(.held(runs: strangers))
        }
        await renewStatistics()
        for start in try await starter.startDue() { started(start) }
        if try await late.judgeAnew() > 0 { onPlanned() }
        var hasMore = false
        let open = try await plans.runsToPlan()
        underWay = underWay.filter { open.contains($0.key) }
        for run in open {
            switch try await planOrPause(run) {
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

    /// Without them planning is slow, and no more than that.
    private func renewStatistics() async {
        guard .now() >= nextStatistics else { return }
        nextStatistics = .now() + Self.statisticsInterval
        do {
            try await statistics.renewWhereStale()
        } catch {
            tools.logger.warning("PostgreSQL's statistics stay old", metadata: ["reason": "\(error)"])
        }
    }

    /// One run that cannot be planned keeps no other from it: it waits for a person.
    private func planOrPause(_ run: Run.ID) async throws -> PlanStore.Step {
        do {
            return try await plan(run)
        } catch let error as PostgresError where error.meansAbsence {
            throw error
        } catch {
            tools.logger.error("a run could not be planned", metadata: ["run": "\(run)", "reason": "\(error)"])
            try await tools.pauses.pause(run, because: "Who is to get it could not be found out: \(error)")
            return .notOurs
        }
    }

    /// A step by rules that are read anew now and then, and of a size that keeps it short.
    private func plan(_ run: Run.ID) async throws -> PlanStore.Step {
        var plan = underWay[run] ?? OpenPlan()
        if plan.rules == nil || .now() - plan.rulesReadAt > PlanRules.validity {
            plan.rulesReadAt = .now()
            plan.rules = try await rules.rules(of: run)
        }
        guard let rules = plan.rules else { return .notOurs }
        let began = MonotonicTime.now()
        let step = try await plans.step(
            run, by: rules, size: plan.size, lease: tools.options.planLease, to: tools.destination)
        plan.stepTook(.now() - began)
        underWay[run] = plan
        return step
    }

    private func started(_ start: CampaignStarter.Start) {
        switch start {
        case .run(let run):
            tools.logger.info("run started", metadata: ["run": "\(run)"])
            tools.onEvent?(.runStarted(run))
        case .asks(let run): tools.logger.warning("a run waits for an answer", metadata: ["run": "\(run)"])
        case .skipped(let campaign, let words):
            tools.logger.warning(
                "occurrence skipped", metadata: ["campaign": "\(campaign)", "reason": "\(words)"])
        case .failed(let campaign, let words):
            tools.logger.error("a campaign did not start", metadata: ["campaign": "\(campaign)", "reason": "\(words)"])
        case .refused(let campaign, let words):
            tools.logger.warning("a campaign was refused", metadata: ["campaign": "\(campaign)", "reason": "\(words)"])
        }
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
