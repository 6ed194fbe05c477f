import APNS
import Campaigns
import EventLoop
import Notifications
import Store

/// A batch of transactional pushes that is stored and this process's: its pushes may go on the wire.
struct TakenBatch: Sendable {
    struct Push: Sendable {
        /// The place in the batch.
        let index: Int
        let id: MessageID
        let token: DeviceToken
        let payload: PushPayload
        /// Which of `headers` it goes with.
        let headers: Int
    }

    let id: Batch.ID
    let app: App.ID
    let environment: PushEnvironment
    /// The lease ends no earlier than this plus the lease.
    let leaseBegan: MonotonicTime
    let headers: [PushHeaders]
    /// In the order of their places; who is suppressed has none.
    let pushes: [Push]
    let progress: PushProgress
    let recipients: [Int64]
}

extension PushOptions {
    /// How long a push is tried at most. Apple keeps one for a device that is away; here it waits for Apple.
    static let patience = Duration.seconds(60)
    /// One that is worth delivering now or never waits this long for a connection.
    static let shortestPatience = Duration.seconds(5)

    /// `now` is in seconds since 1970.
    func patience(at now: Int, atLeast shortest: Duration = shortestPatience) -> Duration {
        min(Self.patience, max(shortest, .seconds(expiration - now)))
    }

    var headers: PushHeaders {
        PushHeaders(
            bundleID: bundleID, pushType: pushType, priority: priority, expiration: expiration, collapseID: collapseID)
    }
}
