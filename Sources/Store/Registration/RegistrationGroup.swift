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
        /// The id of the device, once it was looked up.
        var device: Int64?
        /// Another device of the group registered the token later.
        var hasLostToken = false

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
    }

    var entries: [Entry] = []

    struct TokenKey: Hashable {
        let app: Int64
        let token: DeviceToken
    }

    /// Every token of the group, with the position of the last request that has it and the entry of that request.
    private(set) var tokens: [TokenKey: (position: Int, entry: Int)] = [:]

    init(_ registrations: [Registration]) {
        var indexes: [Key: Int] = [:]
        entries.reserveCapacity(registrations.count)
        for (position, registration) in registrations.enumerated() {
            let key = Key(app: registration.app.rawValue, address: registration.address)
            if let index = indexes[key] {
                entries[index].add(registration, position)
            } else {
                indexes[key] = entries.count
                entries.append(Entry(key, registration, position))
            }
        }
        entries.sort { $0.key < $1.key }
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

    /// The token of the last request that has one.
    var token: DeviceToken? { effective.token }

    fileprivate init(_ key: RegistrationGroup.Key, _ registration: Registration, _ position: Int) {
        self.key = key
        changes = registration.changes
        initialValues = registration.kind == .register ? registration.changes : nil
        requests = [
            RegistrationGroup.Request(
                position: position, token: registration.changes.token, isAfterRegistration: initialValues != nil)
        ]
    }

    fileprivate mutating func add(_ registration: Registration, _ position: Int) {
        changes = changes.followed(by: registration.changes)
        if let begun = initialValues {
            initialValues = begun.followed(by: registration.changes)
        } else if registration.kind == .register {
            initialValues = registration.changes
        }
        requests.append(
            RegistrationGroup.Request(
                position: position, token: registration.changes.token, isAfterRegistration: initialValues != nil))
    }
}
