import Campaigns
import Notifications
import Postgres

/// Devices as one array per column, which is how a set goes to PostgreSQL.
struct DeviceColumns {
    private var apps: [Int64] = []
    private var devices: [Int64] = []
    private var installations: [String] = []
    private var tokens: [[UInt8]?] = []
    private var haveLostToken: [Bool] = []
    private var environments: [Int16?] = []
    private var authorizations: [Int16?] = []
    /// One bit for each of the texts below that was mentioned: null may mean "clear" or "leave".
    private var given: [Int32] = []
    private var userIDs: [String?] = []
    private var locales: [String?] = []
    private var timeZones: [String?] = []
    private var osVersions: [String?] = []
    private var appVersions: [String?] = []
    private var models: [String?] = []
    private var attributes: [JSONText?] = []

    var count: Int { apps.count }

    mutating func append(_ entry: RegistrationGroup.Entry, device: Int64) {
        let changes = entry.effective
        apps.append(entry.key.app)
        devices.append(device)
        installations.append(entry.key.installation)
        tokens.append(changes.token?.bytes)
        haveLostToken.append(entry.hasLostToken)
        environments.append(changes.environment?.rawValue)
        authorizations.append(changes.authorization?.rawValue)
        let texts = [
            changes.userID, changes.locale, changes.timeZone, changes.osVersion, changes.appVersion, changes.model,
        ]
        given.append(texts.enumerated().reduce(0) { $1.element.isGiven ? $0 | 1 << $1.offset : $0 })
        userIDs.append(changes.userID.value)
        locales.append(changes.locale.value)
        timeZones.append(changes.timeZone.value)
        osVersions.append(changes.osVersion.value)
        appVersions.append(changes.appVersion.value)
        models.append(changes.model.value)
        attributes.append(changes.attributes.map { JSONText($0) })
    }

    /// The arrays as a table, for FROM.
    var rows: PostgresQuery {
        """
        unnest(
            \(apps), \(devices), \(installations), \(tokens), \(haveLostToken), \(environments), \(authorizations),
            \(given), \(userIDs), \(locales), \(timeZones), \(osVersions), \(appVersions), \(models), \(attributes)
        )
        """
    }

    /// The table's name and those of its columns.
    static let names = """
        g (
            app_id, id, installation, token, has_lost_token, environment, authorization_status,
            given, user_id, locale, time_zone, os_version, app_version, model, attributes
        )
        """
}
