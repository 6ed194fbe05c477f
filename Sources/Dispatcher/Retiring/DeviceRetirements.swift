import Campaigns
import EventLoop
import Logging
import Store

/// Retires devices whose tokens Apple reported as invalid, apart from the batches that reported them: a lock on a
/// device must not delay the outcomes and leases of a whole batch.
///
/// A device that is not retired, because the process ends for example, is reported again by the next push to it.
///
/// Docs/decisions/sending.md explains why devices are retired beside the batches.
actor DeviceRetirements {
    private typealias Token = DeviceRetirementStore.InvalidatedToken

    /// Devices that wait to be retired. Further ones are left to the next push.
    private static let maximumWaiting = 100_000
    /// Devices that one statement retires.
    private static let perStatement = 5_000
    /// The deadline of a statement: another transaction may lock a device for long.
    private static let deadline = Duration.seconds(5)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: DeviceRetirementStore
    private let retryDelay: Duration
    private let logger: Logger
    private let signal: WakeUpSignal
    private var waiting: [(app: App.ID, token: Token)] = []
    private var isComplete = false

    init(store: DeviceRetirementStore, retryDelay: Duration, loop: EventLoop, logger: Logger) {
        self.store = store
        self.retryDelay = retryDelay
        self.loop = loop
        self.logger = logger
        signal = WakeUpSignal(loop: loop)
    }

    /// On the loop.
    nonisolated func add(
        _ tokens: some Collection<DeviceRetirementStore.InvalidatedToken> & Sendable, app: App.ID
    ) {
        guard !tokens.isEmpty else { return }
        assumeIsolated { $0.enqueue(tokens, app) }
    }

    private func enqueue(_ tokens: some Collection<Token>, _ app: App.ID) {
        if waiting.isEmpty { signal.call() }
        let room = max(0, Self.maximumWaiting - waiting.count)
        waiting += tokens.prefix(room).map { (app, $0) }
        if tokens.count > room {
            logger.warning(
                "devices not retired",
                metadata: ["app": "\(app)", "devices": "\(tokens.count - room)", "reason": "too many wait"])
        }
    }

    /// Returns after `complete()`, when everything is retired or the database refuses.
    func run() async {
        while !(isComplete && waiting.isEmpty) {
            guard let app = waiting.first?.app else {
                await signal.sleep(upTo: .seconds(60))
                continue
            }
            if await retire(app) { continue }
            guard !isComplete else { return }
            await signal.sleep(upTo: retryDelay)
        }
    }

    /// Called when no more devices will be added.
    func complete() {
        isComplete = true
        signal.call()
    }

    /// Retires devices of one app; false when they still wait, behind those of other apps.
    private func retire(_ app: App.ID) async -> Bool {
        let leaving = Array(waiting.lazy.filter { $0.app == app }.prefix(Self.perStatement).map(\.token))
        let ids = Set(leaving.map(\.device))
        do {
            _ = try await store.retire(leaving, app: app, deadline: Self.deadline)
            waiting.removeAll { $0.app == app && ids.contains($0.token.device) }
            return true
        } catch {
            logger.warning("devices not retired", metadata: ["devices": "\(leaving.count)", "reason": "\(error)"])
            waiting = waiting.filter { $0.app != app } + waiting.filter { $0.app == app }
            return false
        }
    }
}
