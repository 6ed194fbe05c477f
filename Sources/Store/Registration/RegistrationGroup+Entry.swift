import Campaigns
import Notifications
import Postgres

extension RegistrationGroup {
    /// The requests about one device, and what they come to.
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
        fileprivate(set) var optOuts: OptOutOrder?
        /// The device, once it was looked up.
        var found: FoundDevice?
        var device: Int64? { found?.device }
        /// The version that its only request has read; nil: any.
        let expectedVersion: Int?
        /// The rights that at least one of its requests has.
        fileprivate(set) var rights: RegistrationRights
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
}

extension RegistrationGroup.Entry {
    /// The values to write: the changes of an existing device, or the initial values of a new one.
    var effective: DeviceChanges { device == nil ? initialValues ?? changes : changes }

    /// The rights that the registration needs beyond confirming and changing stored values.
    func neededRights(_ owners: [RegistrationGroup.TokenKey: Int64]) -> RegistrationRights {
        guard let device else { return initialValues == nil ? [] : .all }
        guard let token else { return [] }
        return owners[RegistrationGroup.TokenKey(app: key.app, token: token)] == device ? [] : .newToken
    }

    /// Whether its request has read another version, or a version of a device that does not exist.
    var hasOtherVersion: Bool {
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

    init(_ key: RegistrationGroup.Key, _ registration: Registration, _ position: Int) {
        self.key = key
        positions = [position]
        expectedVersion = registration.expectedVersion
        rights = registration.rights
    }

    /// Another request is about the device.
    mutating func take(_ registration: Registration, _ position: Int) {
        positions.append(position)
        rights.formUnion(registration.rights)
    }

    /// Adds a request behind the others. Returns whether it counts for the device.
    mutating func add(_ registration: Registration, _ position: Int, receivedAt now: Timestamp) -> Bool {
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
        found = FoundDevice(device: owner.device, wasSeenToday: false)
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
