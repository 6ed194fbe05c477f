public import Campaigns
public import EventLoop
import Postgres
public import Store

/// Where registrations go: a phone's one by one, a server's and a file's by the list. What stands in one list is carried
/// out in its order.
public typealias RegistrationCommit = GroupCommit<[Registration], [RegistrationStore.Outcome]>

extension RegistrationCommit {
    /// Rows of one transaction: some 20 ms of PostgreSQL's time.
    static let groupWeight = 500
    /// Rows that wait: less than a second's.
    static let waitingWeight = 10_000
    /// They take turns in the database anyway, and a second group would begin with the first request that comes, and
    /// make the many behind it wait for a transaction of one (measured: 18,000 a second in place of 21,000).
    static let groupsUnderWay = 1

    /// The store's pool is pinned to `loop`.
    public static func registrations(_ store: RegistrationStore, on loop: EventLoop) -> RegistrationCommit {
        let limits = GroupLimits(
            groupWeight: groupWeight, waitingWeight: waitingWeight, groupsUnderWay: groupsUnderWay)
        return RegistrationCommit(limits: limits, on: loop) { requests in
            var outcomes = try await store.store(Array(requests.joined()))[...]
            return requests.map { request in
                defer { outcomes = outcomes.dropFirst(request.count) }
                return Array(outcomes.prefix(request.count))
            }
        }
    }

    /// Returns when the registration is stored.
    public func submit(_ registration: Registration) async throws(GroupCommitError) -> RegistrationStore.Outcome {
        try await submit([registration])[0]
    }

    /// Returns when all are stored, but for those that the database refuses for their own sake: such a list is
    /// halved, in its order, until the guilty ones stand alone.
    public nonisolated func submit(
        all registrations: [Registration]
    ) async throws(GroupCommitError) -> [Result<RegistrationStore.Outcome, RefusedRegistration>] {
        guard !registrations.isEmpty else { return [] }
        do throws(GroupCommitError) {
            return try await submit(registrations, weight: registrations.count).map { .success($0) }
        } catch .refused(let reason) where !(reason is Refusal) {
            // A refusal in words is about the app, and so about all of them.
            guard registrations.count > 1 else { return [.failure(RefusedRegistration(reason: reason))] }
            let middle = registrations.count / 2
            let first = try await submit(all: Array(registrations[..<middle]))
            return first + (try await submit(all: Array(registrations[middle...])))
        }
    }
}

/// Why the database refuses one registration; nobody expects it to.
public struct RefusedRegistration: Error {
    public let reason: any Error
}
