public import EventLoop
public import Postgres

/// Where registrations go.
public typealias RegistrationCommit = GroupCommit<Registration, RegistrationStore.Outcome>

extension RegistrationCommit {
    /// Rows of one transaction: some 20 ms of PostgreSQL's time.
    static let groupWeight = 500
    /// Rows that wait: less than a second's.
    static let waitingWeight = 10_000
    /// One is in the database while the next is made; they take turns there anyway.
    static let groupsUnderWay = 2

    public static func registrations(pool: PostgresPool, on loop: EventLoop) -> RegistrationCommit {
        let store = RegistrationStore(pool: pool)
        let limits = GroupLimits(
            groupWeight: groupWeight, waitingWeight: waitingWeight, groupsUnderWay: groupsUnderWay)
        return RegistrationCommit(limits: limits, on: loop) { try await store.store($0) }
    }
}
