public import EventLoop
import Postgres
public import Store

/// Stores acknowledgements. The weight of a request is the number of its events.
public typealias AcknowledgementCommit = GroupCommit<AcknowledgementRequest, AcknowledgementCount>

extension AcknowledgementCommit {
    /// Events per transaction: about 40 ms while two are in progress.
    static let groupWeight = 4_000
    /// Events that may wait: less than a second's worth.
    static let maximumQueuedWeight = 40_000
    static let maximumConcurrentGroups = 2

    /// The store's pool is pinned to `loop`. `onCounted` gets the requests of each group that was stored, and their counts.
    public static func acknowledgements(
        _ store: AcknowledgementStore, on loop: EventLoop, onGroup: (@Sendable (StoredGroup) -> Void)? = nil,
        onCounted: (@Sendable ([AcknowledgementRequest], [AcknowledgementCount]) -> Void)? = nil
    ) -> AcknowledgementCommit {
        let limits = GroupLimits(
            groupWeight: groupWeight, maximumQueuedWeight: maximumQueuedWeight,
            maximumConcurrentGroups: maximumConcurrentGroups)
        return AcknowledgementCommit(limits: limits, on: loop, onGroup: onGroup) { requests in
            let counts = try await store.store(requests)
            onCounted?(requests, counts)
            return counts
        }
    }
}
