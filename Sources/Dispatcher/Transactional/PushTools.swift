import APNS
import Application
public import Campaigns
import EventLoop
import Logging
import Store

/// What a process needs to send transactional pushes, whoever asked.
struct PushTools: Sendable {
    let loop: EventLoop
    let options: DispatcherOptions
    let logger: Logger
    let clients: Clients
    let store: PushStore
    let kept: PushKeyStore
    let retiring: RetiringStore
    let paces: PaceStore
    let clock: DatabaseClock
    /// Outcomes of many batches are stored together.
    let ledger: GroupCommit<PushBatchUpdate, Bool>
    let codes: OutcomeCodes
    let reasons: ReasonTable
    let metrics: DispatchMetrics
    let stop: StopSign
    let onEvent: (@Sendable (PushEvent) -> Void)?
}

/// What was just done with transactional pushes: tests wait for these. Never one per push.
public enum PushEvent: Sendable {
    /// Committed: the batch may go on the wire.
    case taken(Batch.ID, size: Int)
    case ended(Batch.ID, isStored: Bool)
    /// So many batches of lost holders have been ended.
    case abandonedEnded(batches: Int)
}
