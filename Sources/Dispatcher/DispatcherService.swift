import APNS
import Application
public import EventLoop
public import Logging
public import Metrics
public import Postgres
public import ServiceLifecycle
public import Store

/// The worker of Belfry: starts, plans, claims and sends campaigns, records outcomes, changes tags in bulk, and
/// deletes old data. Every
/// process may run it; there is no leader, since each step is claimed in the database.
public struct DispatcherService: Service {
    private let dependencies: SendingDependencies
    private let planning: PlanningLoop
    private let sending: SendingLoop
    private let identity: IdentityLoop
    private let tagging: TagChangeLoop
    private let maintenance: MaintenanceLoop
    private let planningSignal: WakeUpSignal
    private let sendingSignal: WakeUpSignal
    private let identitySignal: WakeUpSignal
    private let taggingSignal: WakeUpSignal
    private let taggingPause: WakeUpSignal
    private let maintenancePause: WakeUpSignal
    private let listener: PostgresListener?

    /// The stores' pool is pinned to `loop`, on which all of this runs. Without a `listener` work is found by polling
    /// only. `unresolved` is shared with the process's other senders. `metrics` is the bootstrapped system, or none.
    /// Throws when the options are inconsistent.
    public init(
        stores: Stores, endpoints: APNSEndpoints, options: DispatcherOptions,
        owner: ProcessID, loop: EventLoop, listener: PostgresListener?, logger: Logger,
        unresolved: UnresolvedBudget? = nil, metrics: any MetricsFactory = MetricsSystem.factory,
        onEvent: (@Sendable (DispatchEvent) -> Void)? = nil
    ) throws(DispatcherOptionsError) {
        if let problem = options.problem { throw DispatcherOptionsError(description: problem) }
        let reasons = ReasonTable()
        let measures = DispatchMetrics(metrics)
        let clients = APNSClientCache(
            endpoints: endpoints, stores: stores, reasons: reasons, options: options.apns, loop: loop, logger: logger,
            metrics: metrics)
        let media = MediaURLResolver(media: stores.media, publicURL: options.publicURL)
        dependencies = SendingDependencies(
            loop: loop, options: options, logger: logger, clients: clients,
            flushes: stores.flushes(owner: owner), recipients: stores.recipients,
            contents: RunContents(runs: stores.runContents, media: media), pauses: stores.runPauses,
            retiring: stores.retiring,
            retirements: DeviceRetirements(
                store: stores.retiring, retryDelay: options.unavailableRetryDelay, loop: loop, logger: logger),
            rateLimits: stores.rateLimits, messageKeys: stores.messageKeys,
            clock: stores.clock, codes: OutcomeCodes(store: stores.outcomeCodes, metrics: measures),
            reasons: reasons,
            destination: endpoints.destination, states: RunStates(),
            unresolved: unresolved ?? UnresolvedBudget(options.maximumUnresolved),
            stop: ShutdownState(drainTimeout: options.drain), metrics: measures, onEvent: onEvent)
        let planningSignal = WakeUpSignal(loop: loop)
        let sendingSignal = WakeUpSignal(loop: loop)
        self.planningSignal = planningSignal
        self.sendingSignal = sendingSignal
        let identitySignal = WakeUpSignal(loop: loop)
        self.identitySignal = identitySignal
        taggingSignal = WakeUpSignal(loop: loop)
        taggingPause = WakeUpSignal(loop: loop)
        maintenancePause = WakeUpSignal(loop: loop)
        self.listener = listener
        planning = PlanningLoop(
            stores: stores, owner: owner, media: media, dependencies: dependencies, signal: planningSignal,
            onPlanned: { sendingSignal.call() })
        sending = SendingLoop(
            dependencies: dependencies, claims: stores.claims(owner: owner), signal: sendingSignal,
            onFirstRun: { identitySignal.call() }, onBatchDone: { planningSignal.call() })
        identity = IdentityLoop(
            store: stores.identity, clock: stores.clockCorrections, process: owner, dependencies: dependencies,
            signal: identitySignal,
            onChange: {
                planningSignal.call()
                sendingSignal.call()
            })
        tagging = TagChangeLoop(
            steps: stores.tagChangeSteps, dependencies: dependencies, signal: taggingSignal, pause: taggingPause)
        maintenance = MaintenanceLoop(stores: stores, dependencies: dependencies, pause: maintenancePause)
    }

    /// Runs until graceful shutdown. Then claims nothing more, finishes the pushes that are being sent, and releases
    /// leases.
    public func run() async throws {
        await withTaskExecutorPreference(dependencies.loop) {
            await withGracefulShutdownHandler {
                async let identified: Void = identity.run()
                async let planned: Void = planning.run()
                async let tagged: Void = tagging.run()
                async let maintained: Void = maintenance.run()
                async let retired: Void = dependencies.retirements.run()
                async let _: Void = listen()
                await sending.run()
                await dependencies.retirements.complete()
                await planned
                await tagged
                await maintained
                await retired
                await identity.finish()
                await identified
                await dependencies.clients.shutDown()
                // Leaving the scope stops the listener.
            } onGracefulShutdown: {
                dependencies.stop.stop()
                planningSignal.end()
                sendingSignal.end()
                taggingSignal.end()
                taggingPause.end()
                maintenancePause.end()
            }
        }
    }
}

extension DispatcherService {
    /// Signals the loops on a notification from another process, and on a new connection, which may have missed some.
    private func listen() async {
        guard let listener else { return }
        for await _ in listener {
            planningSignal.call()
            sendingSignal.call()
            identitySignal.call()
            taggingSignal.call()
        }
    }
}

/// Options are inconsistent.
public struct DispatcherOptionsError: Error, CustomStringConvertible {
    public let description: String
}
