import APNS
public import Application
public import Campaigns
public import EventLoop
public import Logging
public import Metrics
import Postgres
public import Store

/// Sends transactional pushes: stores requests, sends them and stores their outcomes. It has its own connections to
/// Apple, so pushes don't wait behind campaigns.
///
/// `run()` does the work; call it from a service.
public struct PushSender: Sendable {
    /// Requests that arrive within this interval share a batch and a commit.
    static let groupingInterval = Duration.milliseconds(2)
    /// While one waits for the disk, the next is written (measured: 5,200 pushes per second instead of 4,600).
    static let maximumConcurrentGroups = 2
    /// Recipients that wait to be stored, a few seconds' worth. Above this, requests are refused.
    static let maximumQueuedRecipients = 20_000
    /// Batches whose outcomes are stored by one statement.
    static let outcomesPerCommit = 500

    private let dependencies: PushDependencies
    private let intake: GroupCommit<PushRequest, PushSubmission>
    let outbox: PushOutbox

    /// The stores' pool is pinned to `loop`, on which all of this runs. `unresolved` is shared with the process's other
    /// senders. `metrics` is the bootstrapped system, or none. Throws when the options are inconsistent.
    public init(
        stores: Stores, endpoints: APNSEndpoints, options: DispatcherOptions,
        owner: ProcessID = ProcessID(), loop: EventLoop, logger: Logger, unresolved: UnresolvedBudget? = nil,
        metrics: any MetricsFactory = MetricsSystem.factory, onEvent: (@Sendable (PushEvent) -> Void)? = nil
    ) throws(DispatcherOptionsError) {
        if let problem = options.problem { throw DispatcherOptionsError(description: problem) }
        let reasons = ReasonTable()
        let measures = DispatchMetrics(metrics)
        let unresolved = unresolved ?? UnresolvedBudget(options.maximumUnresolved)
        let store = stores.pushes(owner: owner)
        let idempotencyKeys = stores.pushKeys
        let clock = stores.clock
        let dependencies = PushDependencies(
            loop: loop, options: options, logger: logger,
            clients: APNSClientCache(
                endpoints: endpoints, stores: stores, reasons: reasons, options: options.apns, loop: loop,
                logger: logger, metrics: metrics),
            store: store, idempotencyKeys: idempotencyKeys, answers: stores.idempotency,
            retirements: DeviceRetirements(
                store: stores.retiring, retryDelay: options.unavailableRetryDelay, loop: loop, logger: logger),
            rateLimits: stores.rateLimits,
            clock: clock,
            ledger: GroupCommit(
                limits: GroupLimits(
                    groupWeight: Self.outcomesPerCommit, maximumQueuedWeight: .max, maximumConcurrentGroups: 1,
                    spacing: Self.groupingInterval),
                on: loop
            ) { updates in
                let ours = try await store.store(updates, lease: options.lease)
                return updates.map { ours.contains($0.batch) }
            },
            codes: OutcomeCodes(store: stores.outcomeCodes, metrics: measures), reasons: reasons,
            unresolved: unresolved, metrics: measures, stop: ShutdownState(drainTimeout: options.drain),
            onEvent: onEvent)
        let outbox = PushOutbox(dependencies: dependencies)
        let pushIntake = PushIntake(
            store: store, idempotencyKeys: idempotencyKeys, messageKeys: stores.messageKeys,
            clock: clock, options: options, loop: loop, logger: logger, unresolved: unresolved,
            onStored: { batches in
                for batch in batches { onEvent?(.accepted(batch.id, size: batch.recipients.count)) }
                outbox.add(batches)
            }, onAmbiguousInsert: { outbox.add($0) })
        self.dependencies = dependencies
        self.outbox = outbox
        intake = GroupCommit(
            limits: GroupLimits(
                groupWeight: PushRequest.maximumDevices, maximumQueuedWeight: Self.maximumQueuedRecipients,
                maximumConcurrentGroups: Self.maximumConcurrentGroups,
                spacing: Self.groupingInterval),
            on: loop
        ) { try await pushIntake.submit($0) }
    }

    /// Returns when the request is stored; sending begins then.
    public func send(_ request: PushRequest) async throws(GroupCommitError) -> PushSubmission {
        guard !dependencies.unresolved.isFull else { throw .full }
        return try await intake.submit(request, weight: request.recipients.count)
    }

    /// Runs until `stop()`. Then accepts no more requests, finishes the pushes that are being sent, and stores all
    /// outcomes.
    public func run() async {
        await withTaskExecutorPreference(dependencies.loop) {
            async let storing: Void = dependencies.ledger.run()
            async let sending: Void = outbox.run()
            async let retiring: Void = dependencies.retirements.run()
            await intake.run()
            await outbox.complete()
            await sending
            await dependencies.retirements.complete()
            await retiring
            dependencies.ledger.stop()
            await storing
            await dependencies.clients.shutDown()
        }
    }

    /// May be called from anywhere, more than once.
    public func stop() {
        intake.stop()
        dependencies.loop.perform { outbox.assumeIsolated { $0.beginShutdown() } }
    }
}
