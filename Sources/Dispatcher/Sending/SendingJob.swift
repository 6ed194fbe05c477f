import APNS
import Application
import Campaigns
import Crypto
import EventLoop
import Logging
import Store

/// The parts that all batches of a run share in this process: content compiled once, stores, and the process's state.
struct SendingJob: Sendable {
    let content: RunContent
    let headers: PushHeaders
    let messageKey: HMACKey
    /// Each ledger code's kind.
    let kinds: [OutcomeKind]
    /// The code for tokens that the environment does not know.
    let mismatchCode: UInt8
    /// The code for tokens that belong to another topic.
    let foreignCode: UInt8
    let dependencies: SendingDependencies
    /// For all batches of the run that this process sends.
    let health = Lock(RunHealth())
}

/// The dependencies of sending, for all runs of a process.
struct SendingDependencies: Sendable {
    let loop: EventLoop
    let options: DispatcherOptions
    let logger: Logger
    let clients: APNSClientCache
    let flushes: FlushStore
    let recipients: RecipientStore
    let contents: RunContents
    let pauses: RunPauseStore
    let retiring: DeviceRetirementStore
    let retirements: DeviceRetirements
    let rateLimits: RateLimitStore
    let messageKeys: MessageKeyStore
    let clock: DatabaseClock
    let codes: OutcomeCodes
    let reasons: ReasonTable
    let destination: Run.Destination
    let states: RunStates
    let unresolved: UnresolvedBudget
    let flushMemory = FlushMemory()
    let stop: ShutdownState
    let metrics: DispatchMetrics
    let onEvent: (@Sendable (DispatchEvent) -> Void)?

    /// Nil when the run was deleted.
    func job(for run: Run.Key) async throws -> SendingJob? {
        guard let content = try await contents.content(of: run),
            let key = try await messageKeys.messageKeys(app: content.source.app)[content.source.messageKeyVersion]
        else { return nil }
        return SendingJob(
            content: content,
            headers: PushHeaders(
                bundleID: content.source.bundleID, pushType: content.source.pushType, priority: content.source.priority,
                expiration: content.source.expiration, collapseID: content.source.collapseID),
            messageKey: key, kinds: try await codes.allKinds(),
            mismatchCode: try await codes.rejection(APNSReason.badDeviceToken.rawValue),
            foreignCode: try await codes.rejection(APNSReason.deviceTokenNotForTopic.rawValue), dependencies: self)
    }
}

/// Whether the process is shutting down, and since when. Set once.
final class ShutdownState: Sendable {
    private let began = Lock<MonotonicTime?>(nil)
    private let drainTimeout: Duration

    /// After `drainTimeout` even work that only waits for the database is abandoned.
    init(drainTimeout: Duration) {
        self.drainTimeout = drainTimeout
    }

    func stop() { began.withLock { $0 = $0 ?? .now() } }

    var isStopping: Bool { began.withLock { $0 != nil } }
    var isPastDrainTimeout: Bool { began.withLock { $0.map { .now() - $0 > drainTimeout } ?? false } }
}
