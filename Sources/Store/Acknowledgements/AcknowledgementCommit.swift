public import EventLoop
public import Postgres

/// Where acknowledgements go. A request weighs as many as its events.
public typealias AcknowledgementCommit = GroupCommit<AcknowledgementRequest, AcknowledgementCount>

extension AcknowledgementCommit {
    /// Events of one transaction: some 20 ms of PostgreSQL's time.
    static let groupWeight = 2_000
    /// Events that wait: less than a second's.
    static let waitingWeight = 40_000
    static let groupsUnderWay = 2

    public static func acknowledgements(pool: PostgresPool, on loop: EventLoop) -> AcknowledgementCommit {
        let store = AcknowledgementStore(pool: pool)
        let limits = GroupLimits(
            groupWeight: groupWeight, waitingWeight: waitingWeight, groupsUnderWay: groupsUnderWay)
        return AcknowledgementCommit(limits: limits, on: loop) { try await store.store($0) }
    }
}
