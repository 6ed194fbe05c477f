public import Campaigns
import Notifications
public import Postgres

/// A device as it is stored, but for its token: of that only the length and the end leave the store.
public struct DeviceRecord: Sendable {
    /// Hexadecimal digits of a token that people may see, to tell two apart.
    static let shownDigits = 4

    public let id: Device.ID
    public let installation: String
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// When its app last told a token that was new, or told it again after the device was retired.
    public let tokenRegisteredAt: Timestamp
    public let lastSeenAt: Timestamp?
    public let retiredAt: Timestamp?
    public let retiredReason: RetiredReason?
    /// Nil when the token has moved to another installation.
    public let tokenEnding: String?
    public let environment: PushEnvironment
    public let authorization: AuthorizationStatus
    public let userID: String?
    /// Nil: the app's default.
    public let locale: String?
    public let timeZone: String?
    public let osVersion: String?
    public let appVersion: String?
    public let model: String?
    public let attributes: JSONText
}

extension DeviceRecord {
    /// For FROM devices d LEFT JOIN device_activity a.
    static let columns: PostgresQuery = """
        d.id, d.installation, d.created_at, d.updated_at, d.token_registered_at, a.last_seen_at, d.retired_at,
        d.retired_reason, right(encode(d.token, 'hex'), \(Int32(shownDigits))), d.environment,
        d.authorization_status, d.user_id, d.locale, d.time_zone, d.os_version, d.app_version, d.model, d.attributes
        """

    init(_ row: PostgresRow) throws {
        id = try row[0]
        installation = try row[1]
        createdAt = try row[2]
        updatedAt = try row[3]
        tokenRegisteredAt = try row[4]
        lastSeenAt = try row[5]
        retiredAt = try row[6]
        retiredReason = try row[7]
        tokenEnding = try row[8]
        environment = try row[9]
        authorization = try row[10]
        userID = try row[11]
        locale = try row[12]
        timeZone = try row[13]
        osVersion = try row[14]
        appVersion = try row[15]
        model = try row[16]
        attributes = try row[17]
    }
}
