import Application
import Campaigns
import EventLoop
import JSON
import Logging
import Postgres
import Store

/// Starts due campaigns, plans runs ahead of the senders, and finishes runs.
actor PlanningLoop {
    /// The time between two checks of tables: PostgreSQL's statistics may be outdated after an import.
    private static let maintenanceInterval = Duration.seconds(5)
    /// The time between two looks for decisions of tests that are due.
    private static let decisionInterval = Duration.seconds(1)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let starter: CampaignStarter
    private let rules: PlanRuleStore
    private let plans: PlanStore
    private let overdueBatches: OverdueBatchStore
    private let finishes: FinishStore
    private let tests: TestDecider
    private let analyze: AnalyzeStore
    private let messageRanges: MessageRangeStore
    private let customEventWeeks: CustomEventWeekStore
    private var nextMaintenance = MonotonicTime.now()
    private var nextDecisions = MonotonicTime.now()
    private var outage = Outage()
    private var jobs = PlanningJobs()
    private var startFailures = StartFailures()
    private var plansInProgress: [Run.Key: OpenPlan] = [:]
    private let dependencies: SendingDependencies
    private let signal: WakeUpSignal
    /// Called when there are new batches.
    private let onPlanned: @Sendable () -> Void

    init(
        stores: Stores, owner: ProcessID, media: any MediaFinder, dependencies: SendingDependencies,
        signal: WakeUpSignal, onPlanned: @escaping @Sendable () -> Void
    ) {
        starter = CampaignStarter(stores: stores, contents: ContentLoader(stores: stores, media: media))
        rules = stores.planRules
        plans = stores.plans(owner: owner)
        overdueBatches = stores.late
        finishes = stores.finishes
        tests = TestDecider(
            tests: stores.testCounts, decisions: stores.testDecisions, bases: stores.testBases)
        analyze = stores.analyze
        messageRanges = stores.messageRanges
        customEventWeeks = stores.customEventWeeks
        self.dependencies = dependencies
        self.signal = signal
        self.onPlanned = onPlanned
        loop = dependencies.loop
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            while !dependencies.stop.isStopping {
                do {
                    try await round(in: &group)
                    outage.succeeded("planning goes on", in: dependencies.logger)
                } catch let error as PostgresError where error.isDatabaseUnavailable {
                    outage.failed("planning waiting for the database", because: error, in: dependencies.logger)
                } catch {
                    // Retrying does not help: a person has to examine this.
                    dependencies.logger.error("planning failed", metadata: ["reason": "\(error)"])
                }
                await signal.sleep(upTo: dependencies.options.poll * Double.random(in: 0.9...1.1))
            }
        }
    }

    /// Looks for jobs and begins them. They go on beside the loop, so that none waits for another.
    private func round(in group: inout DiscardingTaskGroup) async throws {
        _ = try await dependencies.clock.now()
        let paused = try await dependencies.pauses.pauseRunsFromBeforeRestore()
        if paused > 0 {
            dependencies.logger.warning(
                "runs paused after restore", metadata: ["runs": "\(paused)"])
            dependencies.onEvent?(.pausedAfterRestore(runs: paused))
        }
        let open = try await plans.runsToPlan()
        let wanted =
            try await [.starting] + overdueBatches.overdueRuns().map { .reevaluating($0) }
            + open.map { .planning($0) } + finishes.finishableRuns().map { PlanningJobs.Job.finishing($0) }
            + (.now() >= nextDecisions ? [.deciding] : []) + (.now() >= nextMaintenance ? [.maintaining] : [])
        plansInProgress = plansInProgress.filter { open.contains($0.key) }
        jobs.forget(except: wanted)
        for job in jobs.begin(wanted, at: .now()) { group.addTask { await self.carryOut(job) } }
    }

    private func carryOut(_ job: PlanningJobs.Job) async {
        do {
            let hasMore = try await perform(job)
            jobs.succeeded(job, at: .now())
            if hasMore { signal.call() }
        } catch let error as PostgresError where error.isDatabaseUnavailable && !error.concernsOneStatement {
            jobs.abandoned(job, at: .now())
            outage.failed("planning waiting for the database", because: error, in: dependencies.logger)
        } catch {
            jobs.failed(job, at: .now())
            dependencies.logger.error("planning failed", metadata: ["job": "\(job)", "reason": "\(error)"])
        }
    }

    /// True when the loop should look for further jobs immediately.
    private func perform(_ job: PlanningJobs.Job) async throws -> Bool {
        switch job {
        case .starting:
            let starts = try await starter.startDue(except: startFailures.waiting(at: .now()))
            startFailures.add(starts, at: .now())
            for start in starts { started(start) }
            return !starts.isEmpty
        case .reevaluating(let run):
            guard try await overdueBatches.reevaluate(run) > 0 else { return false }
            onPlanned()
            return true
        case .planning(let run): return try await planned(run)
        case .finishing(let run):
            guard let end = try await finishes.finish(run) else { return false }
            finished(run, end)
            return true
        case .deciding:
            nextDecisions = .now() + Self.decisionInterval
            for due in try await tests.undecided() {
                if let step = try await tests.decide(due) { decided(due.run, step) }
            }
            return false
        case .maintaining:
            nextMaintenance = .now() + Self.maintenanceInterval
            try await maintainTables()
            return false
        }
    }

    private func planned(_ run: Run.Key) async throws -> Bool {
        switch try await planOrPause(run) {
        case .planned(let scanned, _):
            dependencies.onEvent?(.planned(run.id, scanned: scanned))
            onPlanned()
            return true
        case .finished:
            dependencies.logger.info("run planned", metadata: .run(run))
            onPlanned()
            return true
        case .leaseLost: return false
        }
    }

    /// Without current statistics planning is only slower, and partitions are created weeks ahead.
    private func maintainTables() async throws {
        do {
            try await messageRanges.maintain()
            try await customEventWeeks.maintain()
            try await analyze.analyzeStaleTables()
        } catch let error as PostgresError where error.isDatabaseUnavailable && !error.concernsOneStatement {
            throw error
        } catch {
            dependencies.metrics.maintenanceFailed()
            dependencies.logger.warning("tables not maintained", metadata: ["reason": "\(error)"])
        }
    }

    /// Pauses a run that can't be planned, so that it doesn't block other runs.
    private func planOrPause(_ run: Run.Key) async throws -> PlanStore.Step {
        do {
            return try await plan(run)
        } catch let error as PostgresError where error.kind == .deadline {
            dependencies.logger.warning("step of planning took too long", metadata: .run(run))
            // The next attempt is smaller, and other runs come first.
            guard !plansInProgress[run, default: OpenPlan()].tookTooLong() else { return .leaseLost }
            try await dependencies.pauses.pause(
                run,
                because: """
                    Evaluating the audience takes too long, even for a few thousand devices. Use fewer conditions on past \
                    events, then resume.
                    """)
            return .leaseLost
        } catch let error as PostgresError where error.isFaultOfDatabase {
            throw error
        } catch {
            dependencies.logger.error("run not planned", metadata: .run(run, ["reason": "\(error)"]))
            try await dependencies.pauses.pause(
                run, because: "The audience could not be evaluated: \(reasonForPeople(error))")
            return .leaseLost
        }
    }

    /// Plans one step. The rules are read again from time to time, and the size adapts to keep steps short.
    private func plan(_ run: Run.Key) async throws -> PlanStore.Step {
        var plan = plansInProgress[run] ?? OpenPlan()
        if plan.rules == nil || .now() - plan.rulesReadAt > PlanRules.validity {
            plan.rulesReadAt = .now()
            plan.rules = try await rules.rules(of: run)
        }
        guard let rules = plan.rules else { return .leaseLost }
        let began = MonotonicTime.now()
        let step = try await plans.step(
            run.id, by: rules, size: plan.size, isSparse: plan.isSparse, lease: dependencies.options.planLease,
            deadline: dependencies.options.planDeadline, to: dependencies.destination)
        let took = .now() - began
        dependencies.metrics.planningTook(took)
        plan.took(took, step)
        plansInProgress[run] = plan
        return step
    }

    private func started(_ start: CampaignStarter.Start) {
        switch start {
        case .run(let run):
            dependencies.logger.info("run started", metadata: .run(run))
            dependencies.onEvent?(.runStarted(run.id))
        case .needsConfirmation(let run):
            dependencies.logger.warning("run waits for confirmation", metadata: .run(run))
        case .skipped(let campaign, let reason):
            dependencies.logger.warning(
                "occurrence skipped", metadata: .campaign(campaign, ["reason": "\(reason)"]))
        case .failed(let campaign, let reason):
            dependencies.logger.error(
                "campaign not started", metadata: .campaign(campaign, ["reason": "\(reason)"]))
        case .refused(let campaign, let reason):
            dependencies.logger.warning(
                "campaign failed", metadata: .campaign(campaign, ["reason": "\(reason)"]))
        }
    }

    private func decided(_ run: Run.Key, _ step: TestDecider.Step) {
        switch step {
        case .asked: dependencies.logger.notice("test waits for a person", metadata: .run(run))
        case .decided(let reason):
            dependencies.logger.info("test decided", metadata: .run(run, ["reason": "\(reason.rawValue)"]))
        }
        onPlanned()
    }

    private func finished(_ run: Run.Key, _ end: FinishStore.Finished) {
        if end.isVerified {
            dependencies.logger.info("run finished", metadata: .run(run))
        } else {
            let reason = end.discrepancies.map(\.description).joined(separator: "; ")
            dependencies.logger.error(
                "ledger does not add up", metadata: .run(run, ["reason": "\(reason)"]))
        }
        dependencies.metrics.runFinished(isVerified: end.isVerified)
        dependencies.onEvent?(.runFinished(end.run, isVerified: end.isVerified))
    }
}
