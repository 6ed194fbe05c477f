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
        let entries = try await refusing {
            try await repeatingConflicts {
                try await pool.transaction { connection in try await Self.store(group, on: connection) }
            }
        }
        var outcomes = [Outcome](repeating: .noDevice, count: registrations.count)
        for entry in entries {
            guard let device = entry.device else { continue }
            for request in entry.requests where entry.wasThere || request.isAfterBeginning {
                outcomes[request.place] = .stored(Device.ID(rawValue: device))
            }
        }
        return outcomes
    }

    private struct Stored {
        let device: Int64?
        let wasThere: Bool
        let requests: [RegistrationGroup.Request]
    }

    private static func store(
        _ group: RegistrationGroup, on connection: PostgresConnection
    ) async throws -> [Stored] {
        var group = group
        try await begin(group.apps, on: connection)
        let found = try await find(group.entries, on: connection)
        for (index, found) in found.enumerated() { group.entries[index].device = found.device }
        group.settleTokens()

        try await releaseTokens(of: group, on: connection)
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
        if present.count > 0 { try await update(present, on: connection) }
        var ids = new.count > 0 ? try await insert(new, on: connection)[...] : []
        if !unseen.isEmpty { try await DeviceActivity.see(unseen, on: connection) }

        return group.entries.map { entry in
            let device = entry.device ?? (entry.isRegistered ? ids.popFirst() : nil)
            return Stored(device: device, wasThere: entry.device != nil, requests: entry.requests)
        }
    }
}
