import APNS
import Application
import Campaigns
import Crypto
import EventLoop
import Logging
import Store

/// What all batches of a run share in this process: content compiled once, stores, and where the
/// process stands.
struct SendingJob: Sendable {
    let content: RunContent
    let headers: PushHeaders
    let messageKey: HMACKey
    /// Each ledger code's kind.
    let kinds: [OutcomeKind]
    /// Of those whose token the environment does not know.
    let suspectCode: UInt8
    let tools: SendingTools
    /// Of all batches of the run that this process sends.
    let health = Lock(RunHealth())

    var loop: EventLoop { tools.loop }
    var options: DispatcherOptions { tools.options }
    var logger: Logger { tools.logger }
    var clients: Clients { tools.clients }
    var flushes: FlushStore { tools.flushes }
    var recipients: RecipientStore { tools.recipients }
    var pauses: RunPauseStore { tools.pauses }
    var retiring: RetiringStore { tools.retiring }
    var paces: PaceStore { tools.paces }
    var clock: DatabaseClock { tools.clock }
    var codes: OutcomeCodes { tools.codes }
    var reasons: ReasonTable { tools.reasons }
    var states: RunStates { tools.states }
    var metrics: DispatchMetrics { tools.metrics }
    var onEvent: (@Sendable (DispatchEvent) -> Void)? { tools.onEvent }
    func isStopping() -> Bool { tools.stop.isStopping }
    func mustGiveUp() -> Bool { tools.stop.mustGiveUp }
}

/// What a process needs to send, whatever the run.
struct SendingTools: Sendable {
    let loop: EventLoop
    let options: DispatcherOptions
    let logger: Logger
    let clients: Clients
    let flushes: FlushStore
    let recipients: RecipientStore
    let contents: RunContents
    let pauses: RunPauseStore
    let retiring: RetiringStore
    let paces: PaceStore
    let messageKeys: MessageKeyStore
    let clock: DatabaseClock
    let codes: OutcomeCodes
    let reasons: ReasonTable
    let destination: Run.Destination
    let states: RunStates
    let stop: StopSign
    let metrics: DispatchMetrics
    let onEvent: (@Sendable (DispatchEvent) -> Void)?

    /// Nil when the run is gone.
    func job(for run: Run.ID) async throws -> SendingJob? {
        guard let content = try await contents.content(of: run),
            let key = try await messageKeys.messageKeys(app: content.source.app)[content.source.messageKeyVersion]
        else { return nil }
        return SendingJob(
            content: content,
            headers: PushHeaders(
                bundleID: content.source.bundleID, pushType: content.source.pushType, priority: content.source.priority,
                expiration: content.source.expiration, collapseID: content.source.collapseID),
            messageKey: key, kinds: try await codes.allKinds(),
            suspectCode: try await codes.rejection(APNSReason.badDeviceToken.rawValue), tools: self)
    }
}

/// Set once, when the process is to end.
final class StopSign: Sendable {
    private let began = Lock<MonotonicTime?>(nil)
    private let patience: Duration

    /// After `patience` even what only waits for the database is given up.
    init(patience: Duration) {
        self.patience = patience
    }

    func stop() { began.withLock { $0 = $0 ?? .now() } }

    var isStopping: Bool { began.withLock { $0 != nil } }
    var mustGiveUp: Bool { began.withLock { $0.map { .now() - $0 > patience } ?? false } }
}
