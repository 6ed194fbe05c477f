public import Campaigns
import Notifications
public import Postgres

/// Writes registrations in groups, each in one transaction.
///
/// Registrations of an app take turns over all processes, by a lock that PostgreSQL holds until the transaction
/// ends. Two groups that name the same new tokens and installations in different orders would otherwise wait for
/// each other's rows, and no order of one statement prevents it. So what was looked up stays true until it is
/// written, an unchanged device costs no lock and no write, and rows that exist are still locked in the order of
/// their ids, for the sake of those who retire devices without this lock.
public struct RegistrationStore: Sendable {
    /// Of one statement; a group that takes longer gives its waiters an answer.
    static let statementDeadline = Duration.seconds(10)
    /// The upper half of the lock's key; the lower is the app.
    static let lockClass: Int64 = 0x6265_6c66 << 32

    private let pool: PostgresPool
    private let known = KnownAttributes()

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// What became of a registration.
    public enum Outcome: Equatable, Sendable {
        case stored(Device.ID)
        /// A change to a device that is not there.
        case noDevice
    }

    /// An answer for each, in their order, when all are stored.
    public func store(_ registrations: [Registration]) async throws -> [Outcome] {
        let group = RegistrationGroup(registrations)
        let unread = known.unread(among: group.apps)
        let lookUps = Self.lookUps(group) + (unread.isEmpty ? [] : [KnownAttributes.names(of: unread)])
        let stored = try await refusing {
            try await repeatingConflicts {
                try await pool.transaction(opening: lookUps) { connection, answers in
                    if !unread.isEmpty { try known.note(answers[3], of: unread) }
                    return try await store(group, found: answers, on: connection)
                }
            }
        }
        known.note(stored.growth)
        var outcomes = [Outcome](repeating: .noDevice, count: registrations.count)
        for entry in stored.entries {
            guard let device = entry.device else { continue }
            for request in entry.requests where entry.wasThere || request.isAfterBeginning {
                outcomes[request.place] = .stored(Device.ID(rawValue: device))
            }
        }
        return outcomes
    }

    private struct Stored {
        struct Entry {
            let device: Int64?
            let wasThere: Bool
            let requests: [RegistrationGroup.Request]
        }

        let entries: [Entry]
        let growth: [KnownAttributes.Growth]
    }

    /// One trip for all that is to be known, and one for all that is to be written: other groups wait meanwhile.
    private func store(
        _ group: RegistrationGroup, found answers: [PostgresRows], on connection: PostgresConnection
    ) async throws -> Stored {
        var group = group
        let found = try Self.present(in: answers[1])
        for (index, found) in found.enumerated() { group.entries[index].device = found.device }
        group.settleTokens()

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
        let losers = try group.losers(among: answers[2])
        // Tokens are let go before they are taken.
        if !losers.isEmpty { writes.append(Self.releaseTokens(of: losers)) }
        if present.count > 0 { writes.append(Self.update(present)) }
        if !unseen.isEmpty { writes.append(DeviceActivity.see(unseen)) }
        let growth = known.growth(by: group.entries)
        if !growth.isEmpty { writes.append(KnownAttributes.raise(growth)) }
        if new.count > 0 { writes.append(Self.insert(new)) }
        let written = try await connection.queries(writes, deadline: Self.statementDeadline)
        var ids = new.count > 0 ? try written.last.map(Self.deviceIDs)?[...] ?? [] : []

        let entries = group.entries.map { entry in
            let device = entry.device ?? (entry.isRegistered ? ids.popFirst() : nil)
            return Stored.Entry(device: device, wasThere: entry.device != nil, requests: entry.requests)
        }
        return Stored(entries: entries, growth: growth)
    }
}
