import EventLoop
import FoundationEssentials
import Logging
import Store

/// Deletes what is older than the retention of its app, and merges the counts of past days, step by step. Between two
/// steps it waits several times as long as the step took, so that nothing else waits for it.
actor MaintenanceLoop {
    /// The time between two steps when nothing was due.
    private static let interval = Duration.seconds(60)
    /// The time between two steps, as a multiple of the last one's duration.
    private static let rest = 4.0

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let retention: RetentionStore
    private let merges: CountMergeStore
    private let tests: TestCountStore
    private let effects: EffectCountStore
    private let periods: ControlPeriodStore
    private let responseHours: ResponseHoursStore
    private let conversions: ConversionStore
    private let eventNames: CustomEventNameStore
    private let analysts: AnalystRoleStore
    private let webhooks: WebhookQueueStore
    private let dependencies: SendingDependencies
    /// Ends the pauses at shutdown.
    private let pause: WakeUpSignal
    /// Steps of this round that failed.
    private var failures = 0

    init(
        stores: Stores, dependencies: SendingDependencies, pause: WakeUpSignal
    ) {
        retention = stores.retention
        merges = stores.countMerges
        tests = stores.testCounts
        effects = stores.effectCounts
        periods = stores.controlPeriods
        responseHours = stores.responseHours
        conversions = stores.conversions
        eventNames = stores.customEventNames
        analysts = stores.analystRoles
        webhooks = stores.webhookQueue
        self.dependencies = dependencies
        self.pause = pause
        loop = dependencies.loop
    }

    func run() async {
        while !dependencies.stop.isStopping {
            let began = MonotonicTime.now()
            failures = 0
            _ = await step("transactions of analysts ended") { try await analysts.endLongTransactions() }
            let rows =
                await step("replies erased", retention.eraseReplies)
                + step("recipients deleted", retention.deleteRecipients)
                + step("events deleted", retention.deleteEvents)
                + step("custom events deleted", retention.deleteCustomEvents)
                + step("deliveries of webhooks deleted", webhooks.deleteOld)
                + step("counts merged", merges.mergeStep)
                + step("A/B tests counted", tests.countStep)
                + step("effects counted", effects.countStep)
                + step("global control groups counted", periods.countStep)
                + step("hours of responses counted", responseHours.countStep)
                + step("conversions attributed", conversions.attributeStep)
                + step("events of deleted names deleted", eventNames.deleteStep)
            if failures == 0 { dependencies.metrics.maintained(at: Date().timeIntervalSince1970) }
            await pause.sleep(
                upTo: rows > 0 ? (.now() - began) * Self.rest : Self.interval * Double.random(in: 0.9...1.1))
        }
    }

    /// Returns the number of rows. A step that fails is repeated after a pause: nothing depends on it.
    private func step(_ message: Logger.Message, _ work: () async throws -> Int) async -> Int {
        do {
            let rows = try await work()
            if rows > 0 { dependencies.logger.debug(message, metadata: ["rows": "\(rows)"]) }
            return rows
        } catch {
            failures += 1
            dependencies.metrics.maintenanceFailed()
            dependencies.logger.warning(
                "maintenance failed", metadata: ["step": "\(message)", "reason": "\(error)"])
            return 0
        }
    }
}
