import APNS
import Application
public import EventLoop
public import Logging
public import Metrics
public import Postgres
public import ServiceLifecycle
public import Store

/// The machines' side of Belfry: starts, plans, claims, sends, records. Every process may run it;
/// there is no leader, since each step is claimed in the database.
public struct DispatcherService: Service {
    private let tools: SendingTools
    private let planning: PlanningLoop
    private let sending: SendingLoop
    private let planningAlarm: WakeUp
    private let sendingAlarm: WakeUp
    private let listener: PostgresListener?

    /// The stores' pool is pinned to `loop`, on which all of this runs. Without a `listener` the polls alone
    /// find what there is to do. `metrics` is the bootstrapped system, or none. Throws when the options do not fit
    /// together.
    public init(
        stores: Stores, endpoints: APNSEndpoints, options: DispatcherOptions,
        owner: ProcessID, loop: EventLoop, listener: PostgresListener?, logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory,
        onEvent: (@Sendable (DispatchEvent) -> Void)? = nil
    ) throws(DispatcherOptionsError) {
        if let problem = options.problem { throw DispatcherOptionsError(description: problem) }
        let reasons = ReasonTable()
        let clients = Clients(
            endpoints: endpoints, stores: stores, reasons: reasons, options: options.apns, loop: loop, logger: logger,
            metrics: metrics)
        let media = MediaAddresses(media: stores.media, publicURL: options.publicURL)
        tools = SendingTools(
            loop: loop, options: options, logger: logger, clients: clients,
            flushes: stores.flushes(owner: owner), recipients: stores.recipients,
            contents: RunContents(runs: stores.runContents, media: media), pauses: stores.runPauses,
            retiring: stores.retiring, paces: stores.paces, messageKeys: stores.messageKeys, clock: stores.clock,
            codes: OutcomeCodes(store: stores.outcomeCodes), reasons: reasons,
            destination: endpoints.destination, states: RunStates(), stop: StopSign(patience: options.drain),
            metrics: DispatchMetrics(metrics), onEvent: onEvent)
        let planningAlarm = WakeUp(loop: loop)
        let sendingAlarm = WakeUp(loop: loop)
        self.planningAlarm = planningAlarm
        self.sendingAlarm = sendingAlarm
        self.listener = listener
        planning = PlanningLoop(
            stores: stores, owner: owner, media: media, tools: tools, alarm: planningAlarm,
            onPlanned: { sendingAlarm.call() })
        sending = SendingLoop(
            tools: tools, claims: stores.claims(owner: owner), alarm: sendingAlarm,
            onBatchDone: { planningAlarm.call() })
    }

    /// Until graceful shutdown: then nothing new is claimed, the wire is finished, and leases go back.
    public func run() async throws {
        await withTaskExecutorPreference(tools.loop) {
            await withGracefulShutdownHandler {
                async let planned: Void = planning.run()
                async let _: Void = listen()
                await sending.run()
                await planned
                await tools.clients.shutDown()
                // Leaving the scope ends the listening.
            } onGracefulShutdown: {
                tools.stop.stop()
                planningAlarm.end()
                sendingAlarm.end()
            }
        }
    }
}

extension DispatcherService {
    /// A word from another process, or a fresh connection after which anything may have been missed.
    private func listen() async {
        guard let listener else { return }
        for await _ in listener {
            planningAlarm.call()
            sendingAlarm.call()
        }
    }
}

/// Settings that do not fit together, in words.
public struct DispatcherOptionsError: Error, CustomStringConvertible {
    public let description: String
}
