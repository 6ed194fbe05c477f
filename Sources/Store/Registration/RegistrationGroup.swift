import Campaigns
import Notifications
import Postgres

/// The combined effect of a group of registrations, as if they were executed one after the other: one entry per device,
/// sorted by app and address, and the tokens that change owners. What is stored decides which registrations count, so
/// `compose` combines them once the devices were looked up.
struct RegistrationGroup {
    struct Key: Hashable, Comparable {
        let app: Int64
        let address: DeviceAddress

        static func < (left: Key, right: Key) -> Bool {
            left.app != right.app ? left.app < right.app : left.address < right.address
        }
    }

    private let registrations: [Registration]
    var entries: [Entry] = []
    /// The requests that are refused, by their positions.
    private(set) var refused: [(position: Int, refusal: Refusal)] = []
    /// Positions of requests that have read a version of the device, while another request of the group changes it.
    private(set) var conflicting: [Int] = []

    struct TokenKey: Hashable {
        let app: Int64
        let token: DeviceToken
    }

    /// The present owner of a token.
    struct TokenOwner {
        let key: TokenKey
        let device: Int64
        let address: DeviceAddress
        let isLive: Bool
        /// Only files have named it.
        let isImported: Bool
    }

    /// Every token of the group, with the position of the last request that has it and the entry of that request.
    private(set) var tokens: [TokenKey: (position: Int, entry: Int)] = [:]

    /// `refused` are positions of registrations that are not executed.
    init(_ registrations: [Registration], leavingOut refused: Set<Int> = []) {
        self.registrations = registrations
        var indexes: [Key: Int] = [:]
        entries.reserveCapacity(registrations.count)
        let shared = Self.sharedKeys(registrations)
        for (position, registration) in registrations.enumerated() where !refused.contains(position) {
            let key = Key(app: registration.app.rawValue, address: registration.address)
            if registration.expectedVersion != nil, shared.contains(key) {
                conflicting.append(position)
            } else if let index = indexes[key] {
                entries[index].take(registration, position)
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

    /// Combines the requests, in their order, with what was looked up: the devices of the entries, and the owners of
    /// tokens.
    mutating func compose(_ found: [FoundDevice], _ owners: [TokenOwner], receivedAt now: Timestamp) {
        var holders: [TokenKey: DeviceKind] = [:]
        for owner in owners where owner.isLive && !owner.isImported { holders[owner.key] = owner.address.kind }
        var entryOfPosition = [Int?](repeating: nil, count: registrations.count)
        for index in entries.indices {
            entries[index].found = found[index]
            guard !entries[index].hasOtherVersion else { continue }
            for position in entries[index].positions { entryOfPosition[position] = index }
        }
        for (position, index) in entryOfPosition.enumerated() {
            guard let index else { continue }
            let registration = registrations[position]
            let token = registration.changes.token.map { TokenKey(app: registration.app.rawValue, token: $0) }
            let kind = registration.address.kind
            if let holder = token.flatMap({ holders[$0] }), holder != kind {
                refused.append((position, .tokenOfAnotherKind(holder, registered: kind)))
                continue
            }
            let isEffective = entries[index].add(registration, position, receivedAt: now)
            if isEffective, let token { holders[token] = kind }
        }
    }

    /// Removes the entries whose device has another version than their request expects, and returns them.
    mutating func removeOutdated() -> [Entry] {
        let outdated = entries.filter(\.hasOtherVersion)
        if !outdated.isEmpty { entries.removeAll(where: \.hasOtherVersion) }
        return outdated
    }

    /// Removes the entries that need rights which they lack, and returns them with these rights.
    mutating func removeLimited(
        _ owners: [TokenOwner]
    ) -> [(entry: Entry, lacking: RegistrationRights)] {
        guard entries.contains(where: { $0.rights != .all }) else { return [] }
        let owners = Dictionary(owners.map { ($0.key, $0.device) }) { $1 }
        var limited: [(Entry, RegistrationRights)] = []
        entries.removeAll { entry in
            let lacking = entry.neededRights(owners).subtracting(entry.rights)
            if !lacking.isEmpty { limited.append((entry, lacking)) }
            return !lacking.isEmpty
        }
        return limited
    }

    /// Marks the entries that take a token from another device. To be called after `resolveTokens`.
    mutating func markTakers(_ owners: [TokenOwner]) {
        for owner in owners {
            guard let index = tokens[owner.key]?.entry, owner.device != entries[index].device else { continue }
            entries[index].tookToken = true
            if owner.address.installation == entries[index].key.address.installation, owner.isLive {
                entries[index].activityBefore = owner.address.activity
            }
        }
    }

    /// The changes to people, in the order of the requests; each person once. `withoutUser` are the positions of
    /// requests that change the person of a device without a user.
    func people() -> (changes: [PeopleColumns.Change], withoutUser: Set<Int>) {
        var changes: [(position: Int, change: PeopleColumns.Change)] = []
        var withoutUser: Set<Int> = []
        for entry in entries {
            var user = entry.found?.userID
            for request in entry.requests where entry.device != nil || request.isAfterRegistration {
                if request.userID.isGiven { user = request.userID.value }
                guard let person = request.person, !person.isEmpty else { continue }
                if let user = request.personUser ?? user {
                    let key = PeopleColumns.Key(app: entry.key.app, userID: user)
                    changes.append((request.position, (key, person, request.importedAsOf)))
                } else {
                    withoutUser.insert(request.position)
                }
            }
        }
        guard changes.count > 1 else { return (changes.map(\.change), withoutUser) }
        var people: [PeopleColumns.Key: PeopleColumns.Change] = [:]
        for (_, change) in changes.sorted(by: { $0.position < $1.position }) {
            guard let before = people[change.key] else {
                people[change.key] = change
                continue
            }
            let asOf = before.importedAsOf.flatMap { first in change.importedAsOf.map { max(first, $0) } }
            people[change.key] = (change.key, before.changes.followed(by: change.changes), asOf)
        }
        return (Array(people.values), withoutUser)
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

    /// Whether a request names a user and says when. It may come after a logout.
    var hasDatedLogins: Bool { registrations.contains { $0.sentAt != nil && $0.changes.userID.value != nil } }

    /// Every token of the group, whichever device gets it.
    var namedTokens: [TokenKey] {
        var named: Set<TokenKey> = []
        for registration in registrations {
            guard let token = registration.changes.token else { continue }
            named.insert(TokenKey(app: registration.app.rawValue, token: token))
        }
        return Array(named)
    }

    /// The present owners that lose their token.
    func previousOwners(among owners: [TokenOwner]) -> [(app: Int64, device: Int64)] {
        owners.filter { !keeps($0.key, device: $0.device) }.map { ($0.key.app, $0.device) }
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
