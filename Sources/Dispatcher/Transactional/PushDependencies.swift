import APNS
import Application
public import Campaigns
import EventLoop
import Logging
import Store

/// The dependencies of sending transactional pushes.
struct PushDependencies: Sendable {
    let loop: EventLoop
    let options: DispatcherOptions
    let logger: Logger
    let clients: APNSClientCache
    let store: PushStore
    let idempotencyKeys: PushKeyStore
    /// Answers to other requests with an Idempotency-Key, which are deleted with the keys of pushes.
    let answers: IdempotencyStore
    let retirements: DeviceRetirements
    let rateLimits: RateLimitStore
    let clock: DatabaseClock
    /// Outcomes of many batches are stored together.
    let ledger: GroupCommit<PushBatchUpdate, Bool>
    let codes: OutcomeCodes
    let reasons: ReasonTable
    let unresolved: UnresolvedBudget
    let metrics: DispatchMetrics
    let stop: ShutdownState
    let onEvent: (@Sendable (PushEvent) -> Void)?
}

/// An event of sending transactional pushes, for tests to wait for. There is never one per push.
public enum PushEvent: Sendable {
    /// The batch is committed and may be sent.
    case accepted(Batch.ID, size: Int)
    case ended(Batch.ID, isStored: Bool)
    /// Batches of lost processes were ended.
    case abandonedEnded(batches: Int)
}
