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
    /// Batches of lost holders that are ended at once, and steps of cleaning, before anything else has its turn.
    private static let abandonedAtOnce = 500
    private static let cleaningSteps = 10
    /// Recipients that are stored and not ended yet, at most: while Apple is slow or away, payloads wait in memory.
    static let maximumUnsent = 50_000
    /// Between two looks for either, in polls.
    private static let pollsBetweenLooks = 3

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
    private var doubts: [PushDoubt] = []
    /// Since the apps' paces were last told.
    var sent: [App.ID: Int] = [:]
    private let alarm: WakeUp
    private let careAlarm: WakeUp
    private var isComplete = false
    private var isAllSent = false
    private(set) var held: [Batch.ID: Held] = [:]
    private var clients: [World: (client: APNSClient?, readAt: MonotonicTime)] = [:]
    private var windows: [PushWindow] = []
    private nonisolated let unsent = Lock(0)

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

    // MARK: Care

    private func care() async {
        var nextRenewal = MonotonicTime.now() + tools.options.renewal
        var nextLook = MonotonicTime.now()
        defer { drop(doubts) }
        while !isAllSent, !Task.isCancelled {
            if .now() >= nextRenewal {
                nextRenewal = .now() + tools.options.renewal
                await renew()
            }
            await readClock()
            await settleDoubts()
            await tellPaces()
            if .now() >= nextLook {
                nextLook = .now() + tools.options.poll * Self.pollsBetweenLooks
                await endAbandoned()
                await clean()
            }
            await careAlarm.sleep(upTo: tools.options.poll * Double.random(in: 0.9...1.1))
        }
    }

    private func renew() async {
        let ids = Array(held.keys)
        guard !ids.isEmpty else { return }
        let began = MonotonicTime.now()
        do throws(PostgresError) {
            let ours = try await tools.store.renew(ids, lease: tools.options.lease)
            for id in ids {
                // Ended meanwhile: by itself.
                guard let held = held[id] else { continue }
                if ours.contains(id) {
                    held.leaseBegan = began
                    held.window?.allow(until: mayTouchWireUntil(held))
                } else {
                    held.isLost = true
                }
            }
        } catch {
            tools.logger.warning("leases of pushes were not renewed", metadata: ["reason": "\(error)"])
        }
    }

    private func readClock() async {
        do throws(PostgresError) {
            _ = try await tools.clock.now()
        } catch {
            tools.logger.debug("the clock is carried on", metadata: ["reason": "\(error)"])
        }
    }

    /// Whether they were stored after all: nobody else could send them.
    private func settleDoubts() async {
        drop(doubts.filter { $0.until <= .now() })
        guard !doubts.isEmpty, !isComplete else { return }
        let asked = doubts
        let began = MonotonicTime.now()
        do throws(PostgresError) {
            let found = try await tools.store.adopt(asked.flatMap(\.draft.names), lease: tools.options.lease)
            let settled = asked.filter { $0.draft.names.contains { found[$0.messageNumber] != nil } }
            for doubt in settled {
                add(doubt.draft.takenBatches(found, leaseBegan: began, at: tools.clock.estimate, areLate: true))
            }
            forget(settled)
        } catch {
            tools.logger.warning("pushes stay in doubt", metadata: ["reason": "\(error)"])
        }
    }

    /// Should they have been stored all the same, the ledger calls them unknown when their lease is over.
    private func drop(_ lost: [PushDoubt]) {
        guard !lost.isEmpty else { return }
        tools.logger.warning("pushes in doubt are left to the ledger", metadata: ["groups": "\(lost.count)"])
        forget(lost)
    }

    private func forget(_ settled: [PushDoubt]) {
        let names = Set(settled.flatMap(\.draft.names))
        doubts.removeAll { !names.isDisjoint(with: $0.draft.names) }
        unsent.withLock { $0 -= settled.reduce(0) { $0 + $1.draft.recipients } }
    }

    /// They wait for no pace: an app's campaigns have what they leave of it.
    private func tellPaces() async {
        guard !sent.isEmpty else { return }
        let counts = sent
        sent.removeAll(keepingCapacity: true)
        do throws(PostgresError) {
            try await tools.paces.spend(counts)
        } catch {
            tools.logger.warning("campaigns do not know of pushes", metadata: ["reason": "\(error)"])
        }
    }

    private func endAbandoned() async {
        do throws(PostgresError) {
            let count = try await tools.store.endAbandoned(limit: Self.abandonedAtOnce, lease: tools.options.lease)
            guard count > 0 else { return }
            tools.logger.notice("ended pushes of a lost process", metadata: ["batches": "\(count)"])
            tools.onEvent?(.abandonedEnded(batches: count))
        } catch {
            tools.logger.warning("nobody looked for lost pushes", metadata: ["reason": "\(error)"])
        }
    }

    private func clean() async {
        do throws(PostgresError) {
            for _ in 0..<Self.cleaningSteps {
                guard try await tools.kept.clean() else { return }
            }
        } catch {
            tools.logger.warning("old idempotency keys stay for now", metadata: ["reason": "\(error)"])
        }
    }
}
