import Campaigns
import Notifications
import Postgres

/// The registrations of a group that prove no user, in apps that verify identities.
struct UnprovenRegistrations {
    /// By position in the group.
    private(set) var refused: [Int: IdentityRefusal] = [:]
    private(set) var loggedOut: Set<Int> = []
    private(set) var redirected: Set<Int> = []

    var isEmpty: Bool { refused.isEmpty && loggedOut.isEmpty && redirected.isEmpty }

    /// `registrations` are those of the group, whose devices were looked up; `owners` are the present devices of tokens.
    init(_ registrations: [Registration], _ group: RegistrationGroup, _ owners: [RegistrationGroup.TokenKey: Int64]) {
        for entry in group.entries {
            var state = DeviceState(entry, owners)
            for request in entry.requests where entry.device != nil || request.isAfterRegistration {
                let registration = registrations[request.position]
                let verdict = registration.verdict(
                    user: state.user, isRedirecting: state.isRedirected(by: registration.changes))
                switch verdict {
                case .refused(let refusal): refused[request.position] = refusal
                case .loggedOut:
                    loggedOut.insert(request.position)
                    state.change(by: registration.loggingOut().changes)
                case .redirected:
                    redirected.insert(request.position)
                    state.change(by: registration.changes)
                case .accepted: state.change(by: registration.changes)
                }
            }
        }
    }

    /// A device while its registrations are executed one after the other.
    private struct DeviceState {
        private(set) var user: String?
        private var environment: PushEnvironment?
        /// Nil: the one that is stored.
        private var token: DeviceToken?
        private let app: Int64
        private let device: Int64?
        private let owners: [RegistrationGroup.TokenKey: Int64]

        init(_ entry: RegistrationGroup.Entry, _ owners: [RegistrationGroup.TokenKey: Int64]) {
            user = entry.found?.userID
            environment = entry.found?.environment
            app = entry.key.app
            device = entry.device
            self.owners = owners
        }

        func isRedirected(by changes: DeviceChanges) -> Bool {
            if let environment, let new = changes.environment, new != environment { return true }
            guard let new = changes.token else { return false }
            if let token { return new != token }
            return device == nil || owners[RegistrationGroup.TokenKey(app: app, token: new)] != device
        }

        mutating func change(by changes: DeviceChanges) {
            if changes.userID.isGiven { user = changes.userID.value }
            environment = changes.environment ?? environment
            token = changes.token ?? token
        }
    }
}

extension RegistrationGroup {
    /// Leaves out the registrations that change somebody's pushes without a proof, or lets them log the device out.
    mutating func verifyIdentities(
        of registrations: [Registration], _ owners: [TokenOwner], receivedAt now: Timestamp
    ) -> UnprovenRegistrations? {
        guard registrations.contains(where: { $0.sender == .unverifiedApp }) else { return nil }
        let unproven = UnprovenRegistrations(
            registrations, self, Dictionary(owners.map { ($0.key, $0.device) }) { $1 })
        guard !unproven.isEmpty else { return nil }
        let found = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.found) })
        let changed = registrations.enumerated().map { position, registration in
            if unproven.loggedOut.contains(position) { return registration.loggingOut() }
            return unproven.redirected.contains(position) ? registration.redirecting() : registration
        }
        self = RegistrationGroup(changed, leavingOut: Set(unproven.refused.keys))
        compose(
            entries.map { found[$0.key].flatMap { $0 } ?? FoundDevice(device: nil, wasSeenToday: false) },
            owners, receivedAt: now)
        return unproven
    }
}
