import APNS
public import Application
public import Campaigns
public import EventLoop
public import Logging
public import Metrics
import Postgres
public import Store

/// Transactional pushes: takes requests, stores them, sends them, and stores what became of them. Its connections to
/// Apple are its own, so that no campaign's windows stand before a push.
///
/// `run()` does the work and belongs to a service of whoever builds this.
public struct PushSender: Sendable {
    /// Requests that come within it share a batch, and a commit.
    static let gathering = Duration.milliseconds(2)
    /// While one waits for the disk, the next is written (measured: 5,200 pushes a second in place of 4,600).
    static let groupsUnderWay = 2
    /// Recipients that wait to be stored: some seconds' worth; beyond, requests are refused.
    static let waiting = 20_000
    /// Batches whose outcomes are stored by one statement.
    static let endsTogether = 500

    private let tools: PushTools
    private let intake: GroupCommit<PushRequest, PushAnswer>
    let outbox: PushOutbox

    /// The stores' pool is pinned to `loop`, on which all of this runs. `metrics` is the bootstrapped system, or none. Throws when
    /// the options do not fit together.
    public init(
        stores: Stores, endpoints: APNSEndpoints, options: DispatcherOptions,
        owner: ProcessID = ProcessID(), loop: EventLoop, logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory, onEvent: (@Sendable (PushEvent) -> Void)? = nil
    ) throws(DispatcherOptionsError) {
        if let problem = options.problem { throw DispatcherOptionsError(description: problem) }
        let reasons = ReasonTable()
        let store = stores.pushes(owner: owner)
        let kept = stores.pushKeys
        let clock = stores.clock
        let tools = PushTools(
            loop: loop, options: options, logger: logger,
            clients: Clients(
                endpoints: endpoints, stores: stores, reasons: reasons, options: options.apns, loop: loop,
                logger: logger, metrics: metrics),
            store: store, kept: kept, retiring: stores.retiring, paces: stores.paces, clock: clock,
            ledger: GroupCommit(
                limits: GroupLimits(
                    groupWeight: Self.endsTogether, waitingWeight: .max, groupsUnderWay: 1, spacing: Self.gathering),
                on: loop
            ) { updates in
                let ours = try await store.store(updates, lease: options.lease)
                return updates.map { ours.contains($0.batch) }
            },
            codes: OutcomeCodes(store: stores.outcomeCodes), reasons: reasons,
            metrics: DispatchMetrics(metrics), stop: StopSign(patience: options.drain), onEvent: onEvent)
        let outbox = PushOutbox(tools: tools)
        let taking = PushIntake(
            store: store, kept: kept, messageKeys: stores.messageKeys,
            clock: clock, options: options, loop: loop, logger: logger,
            handOver: { batches in
                for batch in batches { onEvent?(.taken(batch.id, size: batch.recipients.count)) }
                outbox.add(batches)
            }, doubt: { outbox.add($0) })
        self.tools = tools
        self.outbox = outbox
        intake = GroupCommit(
            limits: GroupLimits(
                groupWeight: PushRequest.maximumDevices, waitingWeight: Self.waiting,
                groupsUnderWay: Self.groupsUnderWay,
                spacing: Self.gathering),
            on: loop
        ) { try await taking.take($0) }
    }

    /// Returns when the request is stored; then it is being sent.
    public func send(_ request: PushRequest) async throws(GroupCommitError) -> PushAnswer {
        guard !outbox.isFull else { throw .full }
        return try await intake.submit(request, weight: request.recipients.count)
    }

    /// Until `stop()`: then nothing new is taken, the wire is finished, and all is stored.
    public func run() async {
        await withTaskExecutorPreference(tools.loop) {
            async let storing: Void = tools.ledger.run()
            async let sending: Void = outbox.run()
            await intake.run()
            await outbox.complete()
            await sending
            tools.ledger.stop()
            await storing
            await tools.clients.shutDown()
        }
    }

    /// May be called from anywhere, more than once.
    public func stop() {
        intake.stop()
        tools.loop.perform { outbox.assumeIsolated { $0.hurry() } }
    }
}
