public import Campaigns
public import EventLoop
import Postgres
public import Store

/// Stores registrations: single ones from devices, lists from servers and files. The registrations of a list are stored
/// in its order.
public typealias RegistrationCommit = GroupCommit<[Registration], [RegistrationStore.Outcome]>

extension RegistrationCommit {
    /// Rows per transaction: about 20 ms of PostgreSQL's time.
    static let groupWeight = 500
    /// Rows that may wait: less than a second's worth.
    static let maximumQueuedWeight = 10_000
    /// Transactions run one after another in the database anyway. A second one would begin with a single request, and
    /// make the requests behind it wait (measured: 18,000 per second instead of 21,000).
    static let maximumConcurrentGroups = 1

    /// The store's pool is pinned to `loop`.
    public static func registrations(_ store: RegistrationStore, on loop: EventLoop) -> RegistrationCommit {
        let limits = GroupLimits(
            groupWeight: groupWeight, maximumQueuedWeight: maximumQueuedWeight,
            maximumConcurrentGroups: maximumConcurrentGroups)
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

    /// Returns when all are stored, except registrations that the database refuses: a list with such a registration is
    /// split in halves, in its order, until the registration is alone.
    public nonisolated func submit(
        all registrations: [Registration]
    ) async throws(GroupCommitError) -> [Result<RegistrationStore.Outcome, FailedRegistration>] {
        guard !registrations.isEmpty else { return [] }
        do throws(GroupCommitError) {
            return try await submit(registrations, weight: registrations.count).map { .success($0) }
        } catch .refused(let reason) where reason as? Refusal != .notFound(.app) {
            guard registrations.count > 1 else { return [.failure(FailedRegistration(reason: reason))] }
            let middle = registrations.count / 2
            let first = try await submit(all: Array(registrations[..<middle]))
            return first + (try await submit(all: Array(registrations[middle...])))
        }
    }
}

/// Why the database refused one registration: a `Refusal`, or an unexpected error.
public struct FailedRegistration: Error {
    public let reason: any Error
}
