import APNS
import Campaigns
import EventLoop
import Notifications
import Store

/// A batch of transactional pushes that is stored and leased to this process: its pushes may be sent.
struct AcceptedBatch: Sendable {
    struct Push: Sendable {
        /// The index in the batch.
        let index: Int
        let id: MessageID
        let token: DeviceToken
        let payload: PushPayload
        /// The index of its headers in `headers`.
        let headers: Int
    }

    let id: Batch.ID
    let app: App.ID
    let environment: PushEnvironment
    /// The lease ends no earlier than this plus its length.
    let leaseBegan: MonotonicTime
    let headers: [PushHeaders]
    /// In the order of their indices, without suppressed recipients.
    let pushes: [Push]
    let progress: PushProgress
    let recipients: [Int64]
}

extension PushOptions {
    /// The longest time to retry a push. Apple stores pushes for offline devices; this is only the wait for Apple.
    static let maximumRetryTime = Duration.seconds(60)
    /// The time that a push waits for a connection if it must be delivered immediately or never.
    static let minimumRetryTime = Duration.seconds(5)

    /// `now` is in seconds since 1970.
    func retryTime(at now: Int, atLeast shortest: Duration = minimumRetryTime) -> Duration {
        min(Self.maximumRetryTime, max(shortest, .seconds(expiration - now)))
    }

    var headers: PushHeaders {
        PushHeaders(
            bundleID: bundleID, pushType: pushType, priority: priority, expiration: expiration, collapseID: collapseID)
    }
}
