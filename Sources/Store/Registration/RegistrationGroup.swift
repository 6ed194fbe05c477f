import Campaigns
import Notifications
import Postgres

/// What a group of registrations comes to, as if they were carried out one after the other: one entry per device,
/// sorted by app and address, and which tokens change hands.
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
        /// What happens to a device that is there.
        var changes: DeviceChanges
        /// What a device that is not there begins with; nil while nobody has registered it.
        var beginning: DeviceChanges?
        var requests: [Request]
        /// The device, once it was looked for.
        var device: Int64?
        /// The token was taken by a device that named it later.
        var hasLostToken = false

        /// There is a device, or there will be.
        var isRegistered: Bool { device != nil || beginning != nil }
    }

    /// One of the requests that an entry answers.
    struct Request {
        /// In the group as it was given.
        let place: Int
        let token: DeviceToken?
        /// Whether this or an earlier one registers the device, so that it is there in any case.
        let isAfterBeginning: Bool
    }

    var entries: [Entry] = []

    struct TokenKey: Hashable {
        let app: Int64
        let token: DeviceToken
    }

    /// Every token that was named, with the place of its last naming and the entry that named it so.
    private(set) var tokens: [TokenKey: (place: Int, entry: Int)] = [:]

    init(_ registrations: [Registration]) {
        var places: [Key: Int] = [:]
        entries.reserveCapacity(registrations.count)
        for (place, registration) in registrations.enumerated() {
            let key = Key(app: registration.app.rawValue, address: registration.address)
            if let index = places[key] {
                entries[index].add(registration, place)
            } else {
                places[key] = entries.count
                entries.append(Entry(key, registration, place))
            }
        }
        entries.sort { $0.key < $1.key }
    }

    /// Finds who holds each token in the end, when it is known which devices there are: a change that finds no
    /// device takes no token.
    mutating func settleTokens() {
        for (index, entry) in entries.enumerated() {
            for request in entry.requests where entry.device != nil || request.isAfterBeginning {
                guard let token = request.token else { continue }
                let key = TokenKey(app: entry.key.app, token: token)
                if let last = tokens[key], last.place > request.place { continue }
                tokens[key] = (request.place, index)
            }
        }
        for index in entries.indices {
            guard let token = entries[index].token else { continue }
            let last = tokens[TokenKey(app: entries[index].key.app, token: token)]
            entries[index].hasLostToken = last.map { $0.entry != index } ?? false
        }
    }

    /// Every token that was named, whoever gets it in the end.
    var namedTokens: [TokenKey] {
        var named: Set<TokenKey> = []
        for entry in entries {
            for case let token? in entry.requests.map(\.token) {
                named.insert(TokenKey(app: entry.key.app, token: token))
            }
        }
        return Array(named)
    }

    /// Which of the tokens' present owners (rows of app, token and device) have them no longer.
    func losers(among owners: PostgresRows) throws -> [(app: Int64, device: Int64)] {
        var losers: [(app: Int64, device: Int64)] = []
        for row in owners {
            let app: Int64 = try row[0]
            let device: Int64 = try row[2]
            let key = TokenKey(app: app, token: try DeviceToken(bytes: try row[1]))
            if !keeps(key, device: device) { losers.append((app, device)) }
        }
        return losers
    }

    /// Whether the device that has the token now is the one that has it in the end.
    private func keeps(_ key: TokenKey, device: Int64) -> Bool {
        guard let last = tokens[key] else { return true }
        let entry = entries[last.entry]
        return entry.device == device && entry.token == key.token
    }

    /// The apps concerned, in order.
    var apps: [Int64] {
        var apps: [Int64] = []
        for entry in entries where apps.last != entry.key.app { apps.append(entry.key.app) }
        return apps
    }
}

extension RegistrationGroup.Entry {
    /// What is to be written: the changes of a device that is there, or a new one's beginning.
    var effective: DeviceChanges { device == nil ? beginning ?? changes : changes }

    /// The token that it names in the end.
    var token: DeviceToken? { effective.token }

    fileprivate init(_ key: RegistrationGroup.Key, _ registration: Registration, _ place: Int) {
        self.key = key
        changes = registration.changes
        beginning = registration.kind == .register ? registration.changes : nil
        requests = [
            RegistrationGroup.Request(
                place: place, token: registration.changes.token, isAfterBeginning: beginning != nil)
        ]
    }

    fileprivate mutating func add(_ registration: Registration, _ place: Int) {
        changes = changes.followed(by: registration.changes)
        if let begun = beginning {
            beginning = begun.followed(by: registration.changes)
        } else if registration.kind == .register {
            beginning = registration.changes
        }
        requests.append(
            RegistrationGroup.Request(
                place: place, token: registration.changes.token, isAfterBeginning: beginning != nil))
    }
}
