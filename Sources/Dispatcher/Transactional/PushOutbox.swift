import APNS
import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// Sends accepted batches, renews their leases meanwhile, and ends the batches of lost processes.
actor PushOutbox {
    /// Windows that are reused for later batches.
    private static let idleWindows = 64
    /// The time that a client is used before its credential is read again.
    private static let clientLifetime = Duration.seconds(5)

    /// A batch that is being sent.
    final class LeasedBatch {
        var lease: Lease
        /// The window that is being sent, or waits for a connection.
        var window: PushWindow?
        /// When pushes of the window stop waiting for a connection or a free stream.
        var retryDeadline: MonotonicTime
        /// Another process has ended the batch: nothing more may be sent or stored.
        var isLost = false
        let signal: WakeUpSignal

        init(_ batch: AcceptedBatch, on loop: EventLoop) {
            lease = Lease(began: batch.leaseBegan)
            retryDeadline = batch.leaseBegan
            signal = WakeUpSignal(loop: loop)
        }
    }

    private struct Destination: Hashable {
        let app: App.ID
        let environment: PushEnvironment
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let dependencies: PushDependencies
    private var queue: [AcceptedBatch] = []
    var ambiguousInserts: [AmbiguousInsert] = []
    /// Pushes sent since they were last charged to the apps' rate limits.
    var sent: [App.ID: Int] = [:]
    private let signal: WakeUpSignal
    let maintenanceSignal: WakeUpSignal
    private(set) var isComplete = false
    private(set) var isAllSent = false
    private(set) var held: [Batch.ID: LeasedBatch] = [:]
    private var clients: [Destination: (client: APNSClient?, readAt: MonotonicTime)] = [:]
    private var health: [Destination: TokenHealth] = [:]
    private var windows: [PushWindow] = []

    init(dependencies: PushDependencies) {
        self.dependencies = dependencies
        loop = dependencies.loop
        signal = WakeUpSignal(loop: dependencies.loop)
        maintenanceSignal = WakeUpSignal(loop: dependencies.loop)
    }

    // MARK: From the intake

    /// On the loop.
    nonisolated func add(_ batches: [AcceptedBatch]) {
        guard !batches.isEmpty else { return }
        assumeIsolated { $0.queue += batches }
        signal.call()
    }

    /// On the loop. The batches are looked for until the insert's deadline.
    nonisolated func add(_ insert: AmbiguousInsert) {
        assumeIsolated { $0.ambiguousInserts.append(insert) }
    }

    /// Called when no more batches will be added.
    func complete() {
        isComplete = true
        signal.end()
    }

    /// Begins the shutdown: pushes no longer wait for another attempt.
    func beginShutdown() {
        dependencies.stop.stop()
        for held in held.values { held.signal.end() }
    }

    // MARK: Work

    /// Returns when all batches are sent and stored.
    func run() async {
        async let maintained: Void = maintain()
        await withDiscardingTaskGroup { group in
            while !(isComplete && queue.isEmpty), !Task.isCancelled {
                for batch in queue { group.addTask { await self.send(batch) } }
                queue.removeAll(keepingCapacity: true)
                await signal.sleep(upTo: dependencies.options.poll)
            }
        }
        isAllSent = true
        maintenanceSignal.end()
        await maintained
        // Ambiguous inserts that were found last.
        await withDiscardingTaskGroup { group in
            for batch in queue { group.addTask { await self.send(batch) } }
        }
    }

    private func send(_ batch: AcceptedBatch) async {
        let own = LeasedBatch(batch, on: loop)
        held[batch.id] = own
        if dependencies.stop.isStopping { own.signal.end() }
        await deliver(batch, own)
        held[batch.id] = nil
        dependencies.unresolved.giveBackPushes(batch.pushes.count)
    }

    /// Nil when the app has no credential for the environment. A replaced credential is used for a few more seconds.
    func client(for app: App.ID, _ environment: PushEnvironment) async throws -> APNSClient? {
        let key = Destination(app: app, environment: environment)
        let began = MonotonicTime.now()
        if let known = clients[key], began - known.readAt < Self.clientLifetime { return known.client }
        do {
            let client = try await dependencies.clients.client(for: app, environment)
            clients[key] = (client, began)
            return client
        } catch {
            // A slightly old credential is better than waiting for the database.
            guard let known = clients[key]?.client else { throw error }
            return known
        }
    }

    /// The health of the app's tokens in the environment, after these answers.
    func health(
        of app: App.ID, _ environment: PushEnvironment, after answers: Int, mismatches: Int
    ) -> TokenHealth {
        let key = Destination(app: app, environment: environment)
        var health = self.health[key, default: TokenHealth()]
        health.count(answers: answers, mismatches: mismatches)
        self.health[key] = health
        return health
    }

    func takeWindow() -> PushWindow { windows.popLast() ?? PushWindow() }

    func release(_ window: PushWindow) {
        // One that is full may be large.
        if windows.count < Self.idleWindows, !window.isFull { windows.append(window) }
    }

    func sendDeadline(_ held: LeasedBatch) -> MonotonicTime {
        min(held.retryDeadline, held.lease.sendDeadline(dependencies.options))
    }
}
