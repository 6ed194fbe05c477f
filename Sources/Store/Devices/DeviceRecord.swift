public import Campaigns
import Notifications
public import Postgres

/// A device as it is stored, except for its token: only the end of the token leaves the store.
public struct DeviceRecord: Sendable {
    /// Hexadecimal digits of a token that are shown, to distinguish tokens.
    static let shownDigits = 4

    public let id: Device.ID
    public let address: DeviceAddress
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// When its app last registered a new token, or the same token after the device was retired.
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
    /// By `NotificationSetting`.
    public let settings: JSONText
    public let tags: [String]
    /// Keys of topics.
    public let optOuts: [String]
    public let isTest: Bool
    public let nickname: String?
}

extension DeviceRecord {
    /// For FROM devices d LEFT JOIN device_activity a.
    static let columns: PostgresQuery = """
        d.id, d.installation, d.kind, d.activity, d.created_at, d.updated_at, d.token_registered_at, a.last_seen_at, d.retired_at,
        d.retired_reason, right(encode(d.token, 'hex'), \(Int32(shownDigits))), d.environment,
        d.authorization_status, d.user_id, d.locale, d.time_zone, d.os_version, d.app_version, d.model, d.attributes,
        d.settings, d.tags, d.opt_outs, d.is_test, d.nickname
        """
    static let columnCount = 25

    init(_ row: PostgresRow) throws {
        id = try row[0]
        address = DeviceAddress(try row[1], kind: try row[2], activity: try row[3])
        createdAt = try row[4]
        updatedAt = try row[5]
        tokenRegisteredAt = try row[6]
        lastSeenAt = try row[7]
        retiredAt = try row[8]
        retiredReason = try row[9]
        tokenEnding = try row[10]
        environment = try row[11]
        authorization = try row[12]
        userID = try row[13]
        locale = try row[14]
        timeZone = try row[15]
        osVersion = try row[16]
        appVersion = try row[17]
        model = try row[18]
        attributes = try row[19]
        settings = try row[20]
        tags = try row[21]
        optOuts = try row[22]
        isTest = try row[23]
        nickname = try row[24]
    }
}
