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

    struct Entry {
        let key: Key
        /// The positions of all of its requests.
        fileprivate(set) var positions: [Int]
        /// Changes to a device that exists.
        var changes = DeviceChanges()
        /// Initial values of a device that does not exist; nil while no request has registered it.
        var initialValues: DeviceChanges?
        /// The requests that count.
        var requests: [Request] = []
        /// Positions of requests that were sent before what is stored.
        fileprivate(set) var outdated: [Int] = []
        /// When the newest request was sent; nil: nothing newer than what is stored.
        fileprivate(set) var sentAt: Timestamp?
        /// The same for the newest request about its user and token.
        fileprivate(set) var userSentAt: Timestamp?
        /// The order of the requests that state opt-outs; nil: none does.
        fileprivate var optOuts: OptOutOrder?
        /// The device, once it was looked up.
        var found: RegistrationStore.Found?
        var device: Int64? { found?.device }
        /// The version that its only request has read; nil: any.
        let expectedVersion: Int?
        /// The rights that at least one of its requests has.
        var rights: RegistrationRights
        /// The device of a file became its own.
        private(set) var isTakenOver = false
        /// Whether an app or a server registers the device.
        var isRegisteredByApp: Bool {
            requests.contains { $0.importedAsOf == nil && $0.isRegistration }
        }
        /// Whether an app or a server states its token.
        var hasTokenOfApp: Bool { requests.contains { $0.importedAsOf == nil && $0.token != nil } }
        /// The time of the newest file, if only files change it.
        var importedAsOf: Timestamp? {
            let times = requests.compactMap(\.importedAsOf)
            return times.count == requests.count ? times.max() : nil
        }
        /// Another device of the group registered the token later.
        var hasLostToken = false
        /// Another device had its token before.
        var tookToken = false
        /// The Live Activity of the same installation that had its token before.
        var activityBefore: String?

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
        let isRegistration: Bool
        let userID: PatchValue<String>
        let person: ProfileChanges?
        let personUser: String?
        /// The time of its file; nil: it is not of a file.
        let importedAsOf: Timestamp?
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
                entries[index].positions.append(position)
                entries[index].rights.formUnion(registration.rights)
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
    mutating func compose(_ found: [RegistrationStore.Found], _ owners: [TokenOwner], receivedAt now: Timestamp) {
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
    fileprivate var hasOtherVersion: Bool {
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
        positions = [position]
        expectedVersion = registration.expectedVersion
        rights = registration.rights
    }

    /// Adds a request behind the others. Returns whether it counts for the device.
    fileprivate mutating func add(_ registration: Registration, _ position: Int, receivedAt now: Timestamp) -> Bool {
        if let sent = registration.sentAt, device != nil || initialValues != nil,
            StatementOrder.isOutdated(sent, after: sentAt ?? found?.sentAt, receivedAt: now)
        {
            return addLate(registration, position, sentAt: sent, receivedAt: now)
        }
        let isUserOutdated = isUserOutdated(registration, receivedAt: now)
        let registration = isUserOutdated ? leavingOutPastUser(registration) : registration
        changes = changes.followed(by: registration.changes)
        if let begun = initialValues {
            initialValues = begun.followed(by: registration.changes)
        } else if registration.kind == .register {
            initialValues = registration.changes
        }
        let isEffective = device != nil || initialValues != nil
        if isEffective, let sent = registration.sentAt {
            sentAt = Timestamp(sent)
            if registration.isAboutUser { userSentAt = isUserOutdated ? newestUserSentAt : sentAt }
            var order = optOutOrder
            order.state(registration.changes.profile.optOuts, at: sent)
            if order != optOutOrder { optOuts = order }
        }
        requests.append(
            RegistrationGroup.Request(registration, position, isAfterRegistration: initialValues != nil))
        return isEffective
    }

    /// When the newest request about the user was sent. A new device has none of its own, but its installation may have.
    private var newestUserSentAt: Timestamp? {
        userSentAt ?? found?.userSentAt ?? found?.ofInstallation?.userSentAt
    }

    private func isUserOutdated(_ registration: Registration, receivedAt now: Timestamp) -> Bool {
        StatementOrder.isOutdated(registration.sentAt, after: newestUserSentAt, receivedAt: now)
    }

    /// The request without its user, because somebody else uses the installation since, or nobody: a logout holds for the
    /// tokens of other kinds, too, that are registered late. The person is the one of that time.
    private func leavingOutPastUser(_ registration: Registration) -> Registration {
        let user = registration.changes.userID.value
        if let user, device == nil, user == found?.ofInstallation?.userID { return registration }
        var late = registration
        late.changes.userID = .absent
        late.person = user == nil ? nil : registration.person?.onlyOptingOut
        late.personUser = user
        return late
    }

    /// Adds a request that a newer one has overtaken. Opt-outs that it adds count: consent is not lost on the way. Its
    /// user and token count if the newer requests say nothing of them.
    private mutating func addLate(
        _ registration: Registration, _ position: Int, sentAt sent: Instant, receivedAt now: Timestamp
    ) -> Bool {
        let isUserOutdated = isUserOutdated(registration, receivedAt: now)
        var late = DeviceChanges()
        late.profile.optOuts = optOutOrder.late(registration.changes.profile.optOuts, at: sent)
        let isCurrent = registration.isAboutUser && !isUserOutdated
        if isCurrent {
            late.userID = registration.changes.userID
            late.token = registration.changes.token
            late.environment = registration.changes.environment
            userSentAt = Timestamp(sent)
        } else {
            outdated.append(position)
        }
        if late.profile.optOuts != .keep, optOutOrder.newest.map({ $0 < sent }) ?? true {
            var order = optOutOrder
            order.state(late.profile.optOuts, at: sent)
            optOuts = order
        }
        changes = changes.followed(by: late)
        initialValues = initialValues?.followed(by: late)
        var request = registration
        request.kind = .update
        request.changes = late
        // The person is the one of that time.
        let isPersonKnown = registration.changes.userID.value != nil || !isUserOutdated
        request.person = isPersonKnown ? registration.person?.onlyOptingOut : nil
        request.personUser = registration.changes.userID.value
        if isCurrent || request.person != nil {
            requests.append(
                RegistrationGroup.Request(request, position, isAfterRegistration: initialValues != nil))
        }
        return isCurrent
    }

    /// The order of the opt-outs up to here.
    private var optOutOrder: OptOutOrder { optOuts ?? found?.optOuts ?? OptOutOrder() }

    /// The device of a file becomes the one of this installation, which is new.
    mutating func takeOver(_ owner: RegistrationGroup.TokenOwner) {
        found = RegistrationStore.Found(device: owner.device, wasSeenToday: false)
        isTakenOver = true
        changes = (initialValues ?? changes).takingOver()
    }

    /// When the newest request was sent, if that is not stored yet.
    var newSentAt: Timestamp? { sentAt == found?.sentAt ? nil : sentAt }

    /// The same for the newest request about user and token.
    var newUserSentAt: Timestamp? { userSentAt == found?.userSentAt ? nil : userSentAt }

    /// The order of the requests that state opt-outs, if that is not stored yet.
    var newOptOutOrder: OptOutOrder? { optOuts == found?.optOuts ? nil : optOuts }

    /// Whether there may be something to write: a request that counts, or late opt-outs.
    var isWritten: Bool { !requests.isEmpty || changes.profile.optOuts != .keep }
}

extension ProfileChanges {
    /// What counts of a statement about a person that comes late; nil: nothing.
    fileprivate var onlyOptingOut: ProfileChanges? {
        var changes = ProfileChanges()
        changes.optOuts = optOuts.adding
        return changes.isEmpty ? nil : changes
    }
}

extension RegistrationGroup.Request {
    fileprivate init(_ registration: Registration, _ position: Int, isAfterRegistration: Bool) {
        self.position = position
        token = registration.changes.token
        self.isAfterRegistration = isAfterRegistration
        userID = registration.changes.userID
        person = registration.person
        personUser = registration.personUser
        isRegistration = registration.kind == .register
        importedAsOf = registration.terms.map { terms in
            terms.asOf.map { Timestamp($0) } ?? .distantPast
        }
    }
}
