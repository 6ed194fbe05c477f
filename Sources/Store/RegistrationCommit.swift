public import EventLoop
public import Postgres

/// Where registrations go.
public typealias RegistrationCommit = GroupCommit<Registration, RegistrationStore.Outcome>

extension RegistrationCommit {
    /// Rows of one transaction: some 20 ms of PostgreSQL's time.
    static let groupWeight = 500
    /// Rows that wait: less than a second's.
    static let waitingWeight = 10_000
    /// They take turns in the database anyway, and a second group would begin with the first request that comes, and
    /// make the many behind it wait for a transaction of one (measured: 18,000 a second in place of 21,000).
    static let groupsUnderWay = 1

    public static func registrations(pool: PostgresPool, on loop: EventLoop) -> RegistrationCommit {
        let store = RegistrationStore(pool: pool)
        let limits = GroupLimits(
            groupWeight: groupWeight, waitingWeight: waitingWeight, groupsUnderWay: groupsUnderWay)
        return RegistrationCommit(limits: limits, on: loop) { try await store.store($0) }
    }
}
