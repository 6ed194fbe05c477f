public import EventLoop
import Postgres
public import Store

/// Where acknowledgements go. A request weighs as many as its events.
public typealias AcknowledgementCommit = GroupCommit<AcknowledgementRequest, AcknowledgementCount>

extension AcknowledgementCommit {
    /// Events of one transaction: some 20 ms of PostgreSQL's time.
    static let groupWeight = 2_000
    /// Events that wait: less than a second's.
    static let waitingWeight = 40_000
    static let groupsUnderWay = 2

    /// The store's pool is pinned to `loop`.
    public static func acknowledgements(_ store: AcknowledgementStore, on loop: EventLoop) -> AcknowledgementCommit {
        let limits = GroupLimits(
            groupWeight: groupWeight, waitingWeight: waitingWeight, groupsUnderWay: groupsUnderWay)
        return AcknowledgementCommit(limits: limits, on: loop) { try await store.store($0) }
    }
}
