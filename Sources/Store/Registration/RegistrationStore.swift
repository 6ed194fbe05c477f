public import Campaigns
import Notifications
public import Postgres

/// Writes registrations in groups, each in one transaction.
///
/// Groups of the same app are serialized over all processes, by an advisory lock that PostgreSQL holds until the
/// transaction ends. Otherwise two groups with the same new tokens and installations in different orders could
/// deadlock, which no order within one statement prevents. So lookups remain valid until the writes, and an unchanged
/// device needs no lock and no write. Existing rows are still locked in the order of their ids, since devices are
/// retired without this lock.
public struct RegistrationStore: Sendable {
    /// Deadline of one statement: the requests of a slower group fail.
    static let statementDeadline = Duration.seconds(10)
    /// The upper half of the lock's key; the lower half is the app's id.
    static let lockClass: Int64 = 0x6265_6c66 << 32

    private let pool: PostgresPool
    private let knownAttributes = KnownAttributes()

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The result of a registration.
    public enum Outcome: Equatable, Sendable {
        case stored(Device.ID)
        /// A change to a device that does not exist.
        case noDevice
    }

    /// Stores the registrations and returns the outcome of each, in order.
    public func store(_ registrations: [Registration]) async throws -> [Outcome] {
        let group = RegistrationGroup(registrations)
        let unread = knownAttributes.unread(among: group.apps)
        let lookUps = Self.lookUps(group) + (unread.isEmpty ? [] : [KnownAttributes.names(of: unread)])
        let stored = try await mappingConstraintErrors {
            try await retryingConflicts {
                try await pool.transaction(opening: lookUps) { connection, answers in
                    if !unread.isEmpty { try knownAttributes.record(answers[3], of: unread) }
                    return try await store(group, found: answers, on: connection)
                }
            }
        }
        knownAttributes.record(stored.growth)
        var outcomes = [Outcome](repeating: .noDevice, count: registrations.count)
        for entry in stored.entries {
            guard let device = entry.device else { continue }
            for request in entry.requests where entry.existed || request.isAfterRegistration {
                outcomes[request.position] = .stored(Device.ID(rawValue: device))
            }
        }
        return outcomes
    }

    private struct Stored {
        struct Entry {
            let device: Int64?
            let existed: Bool
            let requests: [RegistrationGroup.Request]
        }

        let entries: [Entry]
        let growth: [KnownAttributes.Growth]
    }

    /// Writes everything in one round trip, after one for the lookups, since other groups wait meanwhile.
    private func store(
        _ group: RegistrationGroup, found answers: [PostgresRows], on connection: PostgresConnection
    ) async throws -> Stored {
        var group = group
        let found = try Self.present(in: answers[1])
        for (index, found) in found.enumerated() { group.entries[index].device = found.device }
        group.resolveTokens()

        var present = DeviceColumns()
        var new = DeviceColumns()
        var unseen: [(app: Int64, device: Int64)] = []
        for (entry, found) in zip(group.entries, found) {
            if let device = entry.device {
                present.append(entry, device: device)
                if !found.wasSeenToday { unseen.append((entry.key.app, device)) }
            } else if entry.isRegistered {
                new.append(entry, device: 0)
            }
        }
        var writes: [PostgresQuery] = []
        let previousOwners = try group.previousOwners(among: answers[2])
        // Tokens are released before other devices take them.
        if !previousOwners.isEmpty { writes.append(Self.releaseTokens(of: previousOwners)) }
        if present.count > 0 { writes.append(Self.update(present)) }
        if !unseen.isEmpty { writes.append(DeviceActivity.markSeen(unseen)) }
        let growth = knownAttributes.growth(by: group.entries)
        if !growth.isEmpty { writes.append(KnownAttributes.raise(growth)) }
        if new.count > 0 { writes.append(Self.insert(new)) }
        let written = try await connection.queries(writes, deadline: Self.statementDeadline)
        var ids = new.count > 0 ? try written.last.map(Self.deviceIDs)?[...] ?? [] : []

        let entries = group.entries.map { entry in
            let device = entry.device ?? (entry.isRegistered ? ids.popFirst() : nil)
            return Stored.Entry(device: device, existed: entry.device != nil, requests: entry.requests)
        }
        return Stored(entries: entries, growth: growth)
    }
}
