public import Campaigns
public import EventLoop
import Postgres
public import Store

/// Stores registrations: single ones from devices, lists from servers and files. The registrations of a list are stored
/// in its order.
public typealias RegistrationCommit = GroupCommit<Registration, RegistrationStore.Outcome>

extension RegistrationCommit {
    /// Rows per transaction: about 20 ms of PostgreSQL's time.
    static let groupWeight = 500
    /// Rows that may wait: less than a second's worth.
    static let maximumQueuedWeight = 10_000
    /// Transactions run one after another in the database anyway. A second one would begin with a single request, and
    /// make the requests behind it wait (measured: 18,000 per second instead of 21,000).
    static let maximumConcurrentGroups = 1

    /// The store's pool is pinned to `loop`.
    public static func registrations(
        _ store: RegistrationStore, on loop: EventLoop, onGroup: (@Sendable (StoredGroup) -> Void)? = nil
    ) -> RegistrationCommit {
        let limits = GroupLimits(
            groupWeight: groupWeight, maximumQueuedWeight: maximumQueuedWeight,
            maximumConcurrentGroups: maximumConcurrentGroups)
        return RegistrationCommit(
            limits: limits, on: loop, concernsAll: { $0 as? Refusal == .notFound(.app) }, onGroup: onGroup
        ) {
            try await store.store($0)
        }
    }
}
