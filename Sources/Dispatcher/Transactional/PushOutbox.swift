import APNS
import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// Sends the batches that were taken, holds their leases meanwhile, and ends those whose holder is gone.
actor PushOutbox {
    /// Windows that are kept for the next batches.
    private static let idleWindows = 64
    /// How long a credential is used without a look into the database.
    private static let clientLifetime = Duration.seconds(5)
    /// Recipients that are stored and not ended yet, at most: while Apple is slow or away, payloads wait in memory.
    static let maximumUnsent = 50_000

    /// A batch on its way.
    final class Held {
        var leaseBegan: MonotonicTime
        /// On the wire, or waiting for it.
        var window: PushWindow?
        /// Whoever of the window waits then still, for a connection or for room, waits no longer.
        var patience: MonotonicTime
        /// Another process has ended it: nothing more may be sent or stored.
        var isLost = false
        let alarm: WakeUp

        init(_ batch: TakenBatch, on loop: EventLoop) {
            leaseBegan = batch.leaseBegan
            patience = batch.leaseBegan
            alarm = WakeUp(loop: loop)
        }
    }

    private struct World: Hashable {
        let app: App.ID
        let environment: PushEnvironment
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let tools: PushTools
    private var queue: [TakenBatch] = []
    var doubts: [PushDoubt] = []
    /// Since the apps' paces were last told.
    var sent: [App.ID: Int] = [:]
    private let alarm: WakeUp
    let careAlarm: WakeUp
    private(set) var isComplete = false
    private(set) var isAllSent = false
    private(set) var held: [Batch.ID: Held] = [:]
    private var clients: [World: (client: APNSClient?, readAt: MonotonicTime)] = [:]
    private var windows: [PushWindow] = []
    nonisolated let unsent = Lock(0)

    init(tools: PushTools) {
        self.tools = tools
        loop = tools.loop
        alarm = WakeUp(loop: tools.loop)
        careAlarm = WakeUp(loop: tools.loop)
    }

    // MARK: From the intake

    /// On the loop.
    nonisolated func add(_ batches: [TakenBatch]) {
        guard !batches.isEmpty else { return }
        unsent.withLock { $0 += batches.reduce(0) { $0 + $1.recipients.count } }
        assumeIsolated { $0.queue += batches }
        alarm.call()
    }

    /// On the loop: what may have been stored for this process is looked for until then.
    nonisolated func add(_ doubt: PushDoubt) {
        unsent.withLock { $0 += doubt.draft.recipients }
        assumeIsolated { $0.doubts.append(doubt) }
    }

    nonisolated var isFull: Bool { unsent.withLock { $0 >= Self.maximumUnsent } }

    /// Nothing is added any more.
    func complete() {
        isComplete = true
        alarm.end()
    }

    /// The process is to end: nobody waits for another attempt.
    func hurry() {
        tools.stop.stop()
        for held in held.values { held.alarm.end() }
    }

    // MARK: Work

    /// Returns when all batches are sent and stored.
    func run() async {
        async let caring: Void = care()
        await withDiscardingTaskGroup { group in
            while !(isComplete && queue.isEmpty), !Task.isCancelled {
                for batch in queue { group.addTask { await self.send(batch) } }
                queue.removeAll(keepingCapacity: true)
                await alarm.sleep(upTo: tools.options.poll)
            }
        }
        isAllSent = true
        careAlarm.end()
        await caring
        // Found in the last moment.
        await withDiscardingTaskGroup { group in
            for batch in queue { group.addTask { await self.send(batch) } }
        }
    }

    private func send(_ batch: TakenBatch) async {
        let own = Held(batch, on: loop)
        held[batch.id] = own
        if tools.stop.isStopping { own.alarm.end() }
        await deliver(batch, own)
        held[batch.id] = nil
        unsent.withLock { $0 -= batch.recipients.count }
    }

    /// Nil when the app has no credential for the environment. One that was replaced is used for some seconds more.
    func client(for app: App.ID, _ environment: PushEnvironment) async throws -> APNSClient? {
        let world = World(app: app, environment: environment)
        let began = MonotonicTime.now()
        if let known = clients[world], began - known.readAt < Self.clientLifetime { return known.client }
        do {
            let client = try await tools.clients.client(for: app, environment)
            clients[world] = (client, began)
            return client
        } catch {
            // What was true a while ago is better than to wait for the database.
            guard let known = clients[world]?.client else { throw error }
            return known
        }
    }

    func takeWindow() -> PushWindow { windows.popLast() ?? PushWindow() }

    func giveBack(_ window: PushWindow) {
        if windows.count < Self.idleWindows { windows.append(window) }
    }

    func mayTouchWireUntil(_ held: Held) -> MonotonicTime {
        min(
            held.patience,
            held.leaseBegan + tools.options.lease - tools.options.apns.requestDeadline - tools.options.margin)
    }
}
