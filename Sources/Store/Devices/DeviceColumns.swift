import Campaigns
import Notifications
import Postgres

/// Devices as one array per column, as a statement passes them to PostgreSQL.
struct DeviceColumns {
    private var apps: [Int64] = []
    private var devices: [Int64] = []
    private var installations: [String] = []
    private var kinds: [Int16] = []
    private var activities: [String] = []
    private var tokens: [[UInt8]?] = []
    private var haveLostToken: [Bool] = []
    private var environments: [Int16?] = []
    private var authorizations: [Int16?] = []
    /// The bit of `given` for an entry that an app or a server registers.
    private static let isRegisteredByApp: Int32 = 128

    /// One bit for each text that the request contains, and one for the nickname: null can mean "clear" or "leave".
    private var given: [Int32] = []
    private var texts = [[String?]](repeating: [], count: DeviceText.allCases.count)
    private var profiles = ProfileColumns()
    private var settings: [JSONText?] = []
    private var areTests: [Bool?] = []
    private var nicknames: [String?] = []
    private var importedAsOf: [Timestamp?] = []

    var count: Int { apps.count }

    mutating func append(_ entry: RegistrationGroup.Entry, device: Int64) {
        let changes = entry.effective
        apps.append(entry.key.app)
        devices.append(device)
        installations.append(entry.key.address.installation)
        kinds.append(entry.key.address.kind.rawValue)
        activities.append(entry.key.address.activity)
        tokens.append(changes.token?.bytes)
        haveLostToken.append(entry.hasLostToken)
        environments.append(changes.environment?.rawValue)
        authorizations.append(changes.authorization?.rawValue)
        var given: Int32 = changes.nickname.isGiven ? 1 << Int32(DeviceText.allCases.count) : 0
        if entry.isRegisteredByApp { given |= Self.isRegisteredByApp }
        for text in DeviceText.allCases {
            let value = changes[text]
            if value.isGiven { given |= 1 << Int32(text.rawValue) }
            texts[text.rawValue].append(value.value)
        }
        self.given.append(given)
        profiles.append(changes.profile)
        settings.append(changes.settings.map { JSONText($0) })
        areTests.append(changes.isTest)
        nicknames.append(changes.nickname.value)
        importedAsOf.append(entry.importedAsOf)
    }

    private func column(_ text: DeviceText) -> [String?] { texts[text.rawValue] }

    /// The arrays as a table, for FROM.
    var rows: PostgresQuery {
        """
        unnest(
            \(apps), \(devices), \(installations), \(kinds), \(activities), \(tokens), \(haveLostToken),
            \(environments), \(authorizations), \(given), \(column(.userID)), \(column(.locale)),
            \(column(.timeZone)), \(column(.osVersion)), \(column(.appVersion)), \(column(.model)),
            \(settings), \(profiles.arrays), \(areTests), \(nicknames),
            \(importedAsOf)
        )
        """
    }

    /// The alias of the table and its columns.
    static let names = """
        g (
            app_id, id, installation, kind, activity, token, has_lost_token,
            environment, authorization_status, given, user_id, locale,
            time_zone, os_version, app_version, model, settings,
            \(ProfileColumns.names),
            is_test, nickname, imported_as_of
        )
        """
}
