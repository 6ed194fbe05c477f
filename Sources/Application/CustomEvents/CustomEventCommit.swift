public import EventLoop
import Postgres
public import Store

/// Stores custom events. The weight of a request is the number of its events.
public typealias CustomEventCommit = GroupCommit<CustomEventRequest, CustomEventCount>

extension CustomEventCommit {
    /// The limits are those of acknowledgements. The store's pool is pinned to `loop`.
    public static func customEvents(
        _ store: CustomEventStore, on loop: EventLoop, onGroup: (@Sendable (StoredGroup) -> Void)? = nil
    ) -> CustomEventCommit {
        let limits = GroupLimits(
            groupWeight: AcknowledgementCommit.groupWeight,
            maximumQueuedWeight: AcknowledgementCommit.maximumQueuedWeight,
            maximumConcurrentGroups: AcknowledgementCommit.maximumConcurrentGroups)
        return CustomEventCommit(limits: limits, on: loop, onGroup: onGroup) { try await store.store($0) }
    }
}
