public import Campaigns
import Notifications
public import Postgres

/// Writes registrations in groups, each in one transaction.
///
/// Groups of the same app are serialized over all processes, by a row lock that its transaction holds until it
/// ends. Otherwise two groups with the same new tokens and installations in different orders could
/// deadlock, which no order within one statement prevents. So lookups remain valid until the writes, and an unchanged
/// device needs no lock and no write. Existing rows are still locked in the order of their ids, since devices are
/// retired without this lock.
public struct RegistrationStore: Sendable {
    /// Deadline of one statement: the requests of a slower group fail.
    static let statementDeadline = Duration.seconds(10)

    private let pool: PostgresPool
    private let knownAttributes = KnownAttributes()

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The result of a registration.
    public enum Outcome: Equatable, Sendable {
        case stored(StoredDevice)
        /// A change to a device that does not exist.
        case noDevice
        /// A line of a file about a person or a device that was erased later. Nothing was stored.
        case erased
        /// The device has another version than the client has read.
        case outdated(current: Int)
        /// The registration needs rights that it does not have. Nothing was stored.
        case limited(lacking: RegistrationRights)
        /// The registration proves no user, and needs to. Nothing was stored.
        case unproven(IdentityRefusal)
        case refused(Refusal)
    }

    /// A device after a registration.
    public struct StoredDevice: Equatable, Sendable {
        public let id: Device.ID
        /// Whether it gets pushes. A device that was retired, or whose token another installation has, must register
        /// its token again.
        public let isRegistered: Bool
        /// Changes to the person were ignored, because the device has no user.
        public let lacksUser: Bool
        /// It was not known before.
        public let isNew: Bool
        /// Another installation had its token before.
        public let tookToken: Bool
        /// The device lost its user, because the registration moved it without proving the user.
        public let wasLoggedOut: Bool
        /// The request was sent before what is stored, and changed nothing.
        public let isOutdated: Bool
        /// The Live Activity of the same installation that had its token before, and has none now.
        public let activityBefore: String?
        /// What became of the line of a file.
        public fileprivate(set) var imported = ImportEffect()

        public init(
            id: Device.ID, isRegistered: Bool = true, lacksUser: Bool = false, isNew: Bool = false,
            tookToken: Bool = false, wasLoggedOut: Bool = false, isOutdated: Bool = false, activityBefore: String? = nil
        ) {
            self.id = id
            self.isRegistered = isRegistered
            self.lacksUser = lacksUser
            self.isNew = isNew
            self.tookToken = tookToken
            self.wasLoggedOut = wasLoggedOut
            self.isOutdated = isOutdated
            self.activityBefore = activityBefore
        }
    }

    /// Stores the registrations and returns the outcome of each, in order.
    public func store(_ registrations: [Registration]) async throws -> [Outcome] {
        let group = RegistrationGroup(registrations)
        let hasLines = registrations.contains { $0.terms != nil }
        let lookUps = RegistrationLookUps(
            group, fromApps: registrations.contains { $0.sender != .server },
            unread: knownAttributes.unread(among: group.apps))
        let stored = try await mappingConstraintErrors {
            try await retryingConflicts {
                try await pool.transaction(opening: lookUps.statements) { connection, answers in
                    let found = try lookUps.read(answers)
                    if let names = found.names { try knownAttributes.record(names, of: lookUps.unread) }
                    guard hasLines else { return try await store(registrations, group, found, on: connection) }
                    var lines = ImportedLines(registrations)
                    try await lines.limit(on: connection)
                    let limited = RegistrationGroup(lines.registrations)
                    let again = RegistrationLookUps(limited, fromApps: false)
                    let answers = try await connection.queries(again.statements, deadline: Self.statementDeadline)
                    var stored = try await store(lines.registrations, limited, try again.read(answers), on: connection)
                    stored.effects = lines.effects
                    return stored
                }
            }
        }
        knownAttributes.record(stored.growth)
        var outcomes = [Outcome](repeating: .noDevice, count: registrations.count)
        for entry in stored.entries {
            guard let device = entry.device else { continue }
            for request in entry.requests where entry.existed || request.isAfterRegistration {
                outcomes[request.position] = .stored(
                    StoredDevice(
                        id: Device.ID(rawValue: device), isRegistered: entry.isLive,
                        lacksUser: stored.withoutUser.contains(request.position), isNew: !entry.existed,
                        tookToken: entry.tookToken,
                        wasLoggedOut: stored.unproven?.loggedOut.contains(request.position) ?? false,
                        activityBefore: entry.activityBefore))
            }
            for position in entry.outdated {
                outcomes[position] = .stored(
                    StoredDevice(id: Device.ID(rawValue: device), isRegistered: entry.isLive, isOutdated: true))
            }
        }
        for entry in stored.outdated {
            for position in entry.positions { outcomes[position] = .outdated(current: entry.found?.version ?? 0) }
        }
        for (entry, lacking) in stored.limited {
            for position in entry.positions { outcomes[position] = .limited(lacking: lacking) }
        }
        for (position, refusal) in stored.unproven?.refused ?? [:] { outcomes[position] = .unproven(refusal) }
        for (position, refusal) in stored.refused { outcomes[position] = .refused(refusal) }
        for position in group.conflicting { outcomes[position] = .outdated(current: 0) }
        for (position, effect) in stored.effects {
            if effect.isErased { outcomes[position] = .erased }
            guard case .stored(var device) = outcomes[position] else { continue }
            device.imported = effect
            outcomes[position] = .stored(device)
        }
        return outcomes
    }

    private struct Stored {
        struct Entry {
            let device: Int64?
            let existed: Bool
            let isLive: Bool
            let tookToken: Bool
            let activityBefore: String?
            let requests: [RegistrationGroup.Request]
            let outdated: [Int]
        }

        let entries: [Entry]
        let outdated: [RegistrationGroup.Entry]
        let limited: [(entry: RegistrationGroup.Entry, lacking: RegistrationRights)]
        let refused: [(position: Int, refusal: Refusal)]
        let withoutUser: Set<Int>
        let unproven: UnprovenRegistrations?
        let growth: [KnownAttributes.Growth]
        var effects: [Int: ImportEffect] = [:]
    }

    /// Writes everything in one round trip, after one for the lookups, since other groups wait meanwhile.
    private func store(
        _ registrations: [Registration], _ group: RegistrationGroup, _ found: RegistrationLookUps.Results,
        on connection: PostgresConnection
    ) async throws -> Stored {
        var group = group
        let owners = found.owners
        let now = Timestamp.now
        group.compose(found.devices, owners, receivedAt: now)
        let unproven = group.verifyIdentities(of: registrations, owners, receivedAt: now)
        let outdated = group.removeOutdated()
        let limited = group.removeLimited(owners)
        group.resolveTokens()
        let takenOver = group.takeOver(group.takeOvers(owners))

        var present: [WrittenDevice] = []
        var new: [WrittenDevice] = []
        var seen: [DeviceActivity.Sighting] = []
        for entry in group.entries where entry.isWritten {
            if let id = entry.device {
                let device = WrittenDevice(entry, id: id)
                present.append(device)
                guard entry.importedAsOf == nil, entry.found?.wasSeenToday == false || !device.times.isEmpty else {
                    continue
                }
                seen.append(DeviceActivity.Sighting(app: entry.key.app, device: id, times: device.times))
            } else if entry.isRegistered {
                new.append(WrittenDevice(entry))
            }
        }
        var writes = takenOver.statements
        let previousOwners = group.previousOwners(among: owners).filter { !takenOver.merged.contains($0.device) }
        // Tokens are released before other devices take them.
        if !previousOwners.isEmpty {
            writes.append(Self.releaseTokens(of: previousOwners))
            group.markTakers(owners)
        }
        let people = group.people()
        let columns = PeopleColumns(people.changes)
        // Devices take the values of their people, so people come first.
        if !people.changes.isEmpty { writes += [columns.insert, columns.update] }
        if !present.isEmpty { writes.append(Self.update(present)) }
        if !seen.isEmpty { writes.append(DeviceActivity.markSeen(seen)) }
        let growth = knownAttributes.growth(by: group.entries)
        if !growth.isEmpty { writes.append(KnownAttributes.raise(growth)) }
        if !people.changes.isEmpty { writes.append(columns.updateDevices) }
        let insert = writes.count
        if !new.isEmpty { writes.append(Self.insert(new)) }
        let gaining = group.peopleWhoGainDevices
        if !gaining.isEmpty { writes.append(DeviceLimit.enforce(for: gaining)) }
        let written = try await connection.queries(writes, deadline: Self.statementDeadline)
        var ids = !new.isEmpty ? try Self.deviceIDs(in: written[insert])[...] : []

        let released = Set(previousOwners.map(\.device))
        let entries = group.entries.map { entry in
            let device = entry.device ?? (entry.isRegistered ? ids.popFirst() : nil)
            return Stored.Entry(
                device: device, existed: entry.device != nil && !entry.isTakenOver,
                isLive: entry.isLive(afterReleasing: released),
                tookToken: entry.tookToken, activityBefore: entry.activityBefore, requests: entry.requests,
                outdated: entry.outdated)
        }
        return Stored(
            entries: entries, outdated: outdated, limited: limited, refused: group.refused,
            withoutUser: people.withoutUser, unproven: unproven, growth: growth)
    }
}
