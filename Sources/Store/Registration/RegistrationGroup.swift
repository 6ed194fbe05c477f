import Campaigns
import Notifications
import Postgres

/// The combined effect of a group of registrations, as if they were executed one after the other: one entry per device,
/// sorted by app and address, and the tokens that change owners.
struct RegistrationGroup {
    struct Key: Hashable, Comparable {
        let app: Int64
        let address: DeviceAddress

        static func < (left: Key, right: Key) -> Bool {
            left.app != right.app ? left.app < right.app : left.address < right.address
        }
    }

    struct Entry {
        let key: Key
        /// Changes to a device that exists.
        var changes: DeviceChanges
        /// Initial values of a device that does not exist; nil while no request has registered it.
        var initialValues: DeviceChanges?
        var requests: [Request]
        /// The device, once it was looked up.
        var found: RegistrationStore.Found?
        var device: Int64? { found?.device }
        /// The version that its only request has read; nil: any.
        let expectedVersion: Int?
        /// The rights that at least one of its requests has.
        var rights: RegistrationRights
        /// Another device of the group registered the token later.
        var hasLostToken = false
        /// Another device had its token before.
        var tookToken = false

        /// Whether the device exists or will be created.
        var isRegistered: Bool { device != nil || initialValues != nil }
    }

    /// A request of the group that is part of an entry.
    struct Request {
        /// Its position in the group.
        let position: Int
        let token: DeviceToken?
        /// Whether this request or an earlier one registers the device, so that it exists in any case.
        let isAfterRegistration: Bool
        let userID: PatchValue<String>
        let person: ProfileChanges?
    }

    var entries: [Entry] = []
    /// Positions of requests that have read a version of the device, while another request of the group changes it.
    private(set) var conflicting: [Int] = []

    struct TokenKey: Hashable {
        let app: Int64
        let token: DeviceToken
    }

    /// Every token of the group, with the position of the last request that has it and the entry of that request.
    private(set) var tokens: [TokenKey: (position: Int, entry: Int)] = [:]

    /// `refused` are positions of registrations that are not executed.
    init(_ registrations: [Registration], leavingOut refused: Set<Int> = []) {
        var indexes: [Key: Int] = [:]
        entries.reserveCapacity(registrations.count)
        let shared = Self.sharedKeys(registrations)
        for (position, registration) in registrations.enumerated() where !refused.contains(position) {
            let key = Key(app: registration.app.rawValue, address: registration.address)
            if registration.expectedVersion != nil, shared.contains(key) {
                conflicting.append(position)
            } else if let index = indexes[key] {
                entries[index].add(registration, position)
            } else {
                indexes[key] = entries.count
                entries.append(Entry(key, registration, position))
            }
        }
        entries.sort { $0.key < $1.key }
    }

    /// The devices that several requests name, if any request depends on a version.
    private static func sharedKeys(_ registrations: [Registration]) -> Set<Key> {
        guard registrations.contains(where: { $0.expectedVersion != nil }) else { return [] }
        var seen: Set<Key> = []
        return Set(
            registrations.map { Key(app: $0.app.rawValue, address: $0.address) }.filter { !seen.insert($0).inserted })
    }

    /// Removes the entries whose device has another version than their request expects, and returns them.
    mutating func removeOutdated() -> [Entry] {
        let outdated = entries.filter(\.isOutdated)
        if !outdated.isEmpty { entries.removeAll(where: \.isOutdated) }
        return outdated
    }

    /// Removes the entries that need rights which they lack, and returns them with these rights.
    mutating func removeLimited(
        _ owners: PostgresRows
    ) throws -> [(entry: Entry, lacking: RegistrationRights)] {
        guard entries.contains(where: { $0.rights != .all }) else { return [] }
        let owners = try Self.owners(in: owners)
        var limited: [(Entry, RegistrationRights)] = []
        entries.removeAll { entry in
            let lacking = entry.neededRights(owners).subtracting(entry.rights)
            if !lacking.isEmpty { limited.append((entry, lacking)) }
            return !lacking.isEmpty
        }
        return limited
    }

    /// The present owners of tokens.
    static func owners(in rows: PostgresRows) throws -> [TokenKey: Int64] {
        var owners: [TokenKey: Int64] = [:]
        for row in rows { owners[TokenKey(app: try row[0], token: try DeviceToken(bytes: try row[1]))] = try row[2] }
        return owners
    }

    /// Marks the entries that take a token from another device. To be called after `resolveTokens`.
    mutating func markTakers(_ owners: PostgresRows) throws {
        let owners = try Self.owners(in: owners)
        for (key, last) in tokens {
            guard let owner = owners[key], owner != entries[last.entry].device else { continue }
            entries[last.entry].tookToken = true
        }
    }

    /// The changes to people, in the order of the requests; each person once. `withoutUser` are the positions of
    /// requests that change the person of a device without a user.
    func people() -> (changes: [(key: PeopleColumns.Key, changes: ProfileChanges)], withoutUser: Set<Int>) {
        var changes: [(position: Int, key: PeopleColumns.Key, changes: ProfileChanges)] = []
        var withoutUser: Set<Int> = []
        for entry in entries {
            var user = entry.found?.userID
            for request in entry.requests where entry.device != nil || request.isAfterRegistration {
                if request.userID.isGiven { user = request.userID.value }
                guard let person = request.person, !person.isEmpty else { continue }
                if let user {
                    let key = PeopleColumns.Key(app: entry.key.app, userID: user)
                    changes.append((request.position, key, person))
                } else {
                    withoutUser.insert(request.position)
                }
            }
        }
        guard changes.count > 1 else { return (changes.map { ($0.key, $0.changes) }, withoutUser) }
        var people: [PeopleColumns.Key: ProfileChanges] = [:]
        for change in changes.sorted(by: { $0.position < $1.position }) {
            people[change.key] = people[change.key]?.followed(by: change.changes) ?? change.changes
        }
        return (people.map { ($0.key, $0.value) }, withoutUser)
    }

    /// The users who have more registered devices after the group than before, as far as the group can tell.
    var peopleWhoGainDevices: Set<PeopleColumns.Key> {
        var people: Set<PeopleColumns.Key> = []
        for entry in entries where entry.isRegistered {
            let user = entry.effective.userID.isGiven ? entry.effective.userID.value : entry.found?.userID
            guard let user else { continue }
            let had = entry.device != nil && entry.found?.userID == user
            if had, entry.found?.isLive == true || entry.token == nil { continue }
            people.insert(PeopleColumns.Key(app: entry.key.app, userID: user))
        }
        return people
    }

    /// Finds the final owner of each token. It needs the looked-up devices: a change to a device that does not exist
    /// takes no token.
    mutating func resolveTokens() {
        for (index, entry) in entries.enumerated() {
            for request in entry.requests where entry.device != nil || request.isAfterRegistration {
                guard let token = request.token else { continue }
                let key = TokenKey(app: entry.key.app, token: token)
                if let last = tokens[key], last.position > request.position { continue }
                tokens[key] = (request.position, index)
            }
        }
        for index in entries.indices {
            guard let token = entries[index].token else { continue }
            let last = tokens[TokenKey(app: entries[index].key.app, token: token)]
            entries[index].hasLostToken = last.map { $0.entry != index } ?? false
        }
    }

    /// Every token of the group, whichever device gets it.
    var namedTokens: [TokenKey] {
        var named: Set<TokenKey> = []
        for entry in entries {
            for case let token? in entry.requests.map(\.token) {
                named.insert(TokenKey(app: entry.key.app, token: token))
            }
        }
        return Array(named)
    }

    /// The present owners (rows of app, token and device) that lose their token.
    func previousOwners(among owners: PostgresRows) throws -> [(app: Int64, device: Int64)] {
        var previousOwners: [(app: Int64, device: Int64)] = []
        for row in owners {
            let app: Int64 = try row[0]
            let device: Int64 = try row[2]
            let key = TokenKey(app: app, token: try DeviceToken(bytes: try row[1]))
            if !keeps(key, device: device) { previousOwners.append((app, device)) }
        }
        return previousOwners
    }

    /// Whether the present owner of the token keeps it.
    private func keeps(_ key: TokenKey, device: Int64) -> Bool {
        guard let last = tokens[key] else { return true }
        let entry = entries[last.entry]
        return entry.device == device && entry.token == key.token
    }

    /// The apps of the entries, in order.
    var apps: [Int64] {
        var apps: [Int64] = []
        for entry in entries where apps.last != entry.key.app { apps.append(entry.key.app) }
        return apps
    }
}

extension RegistrationGroup.Entry {
    /// The values to write: the changes of an existing device, or the initial values of a new one.
    var effective: DeviceChanges { device == nil ? initialValues ?? changes : changes }

    /// The rights that the registration needs beyond confirming and changing stored values.
    fileprivate func neededRights(_ owners: [RegistrationGroup.TokenKey: Int64]) -> RegistrationRights {
        guard let device else { return initialValues == nil ? [] : .all }
        guard let token else { return [] }
        return owners[RegistrationGroup.TokenKey(app: key.app, token: token)] == device ? [] : .newToken
    }

    /// Whether its request has read another version, or a version of a device that does not exist.
    fileprivate var isOutdated: Bool {
        guard let expectedVersion, let found, found.device != nil else { return false }
        return found.version != expectedVersion
    }

    /// Whether the device is registered after the group: it has a token and is not retired. `released` are the devices
    /// whose tokens moved to others.
    func isLive(afterReleasing released: Set<Int64>) -> Bool {
        if hasLostToken { return false }
        guard token == nil, let found, let device = found.device else { return true }
        return found.isLive && !released.contains(device)
    }

    /// The lengths of the attributes that it gives to the installation and its people.
    var attributeLengths: [DeviceAttributes.Length] {
        let own = effective.profile.attributes.given?.lengths ?? []
        return requests.reduce(own) { $0 + ($1.person?.attributes.given?.lengths ?? []) }
    }

    /// The token of the last request that has one.
    var token: DeviceToken? { effective.token }

    fileprivate init(_ key: RegistrationGroup.Key, _ registration: Registration, _ position: Int) {
        self.key = key
        changes = registration.changes
        initialValues = registration.kind == .register ? registration.changes : nil
        expectedVersion = registration.expectedVersion
        rights = registration.rights
        requests = [RegistrationGroup.Request(registration, position, isAfterRegistration: initialValues != nil)]
    }

    fileprivate mutating func add(_ registration: Registration, _ position: Int) {
        changes = changes.followed(by: registration.changes)
        rights.formUnion(registration.rights)
        if let begun = initialValues {
            initialValues = begun.followed(by: registration.changes)
        } else if registration.kind == .register {
            initialValues = registration.changes
        }
        requests.append(
            RegistrationGroup.Request(registration, position, isAfterRegistration: initialValues != nil))
    }
}

extension RegistrationGroup.Request {
    fileprivate init(_ registration: Registration, _ position: Int, isAfterRegistration: Bool) {
        self.position = position
        token = registration.changes.token
        self.isAfterRegistration = isAfterRegistration
        userID = registration.changes.userID
        person = registration.person
    }
}
