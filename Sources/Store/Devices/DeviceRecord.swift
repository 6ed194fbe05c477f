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
    /// The installation's own, without those of its user.
    public let attributes: JSONText
    /// By `NotificationSetting`.
    public let settings: JSONText
    public let tags: [String]
    /// Keys of `OptOut`.
    public let optOuts: [String]
    public let isTest: Bool
    public let nickname: String?
    /// The attributes, tags and opt-outs of its user; nil without a user.
    public let person: Profile?
}

/// Attributes, tags and opt-outs of an installation or a person.
public struct Profile: Sendable {
    public let attributes: JSONText
    public let tags: [String]
    /// Keys of `OptOut`.
    public let optOuts: [String]

    public init(attributes: JSONText, tags: [String], optOuts: [String]) {
        self.attributes = attributes
        self.tags = tags
        self.optOuts = optOuts
    }

    static let none = Profile(attributes: JSONText(Array("{}".utf8)), tags: [], optOuts: [])
}

extension DeviceRecord {
    /// When the device was last changed, in microseconds: its version.
    static let version: PostgresQuery = "(extract(epoch FROM d.updated_at) * 1000000)::bigint"

    public var version: Int { Int(updatedAt.microseconds) }

    static let from: PostgresQuery = """
        FROM devices d
        LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id
        LEFT JOIN people p ON p.app_id = d.app_id AND p.user_id = d.user_id
        """

    /// For `from`.
    static let columns: PostgresQuery = """
        d.id, d.installation, d.kind, d.activity, d.created_at, d.updated_at, d.token_registered_at, a.last_seen_at, d.retired_at,
        d.retired_reason, right(encode(d.token, 'hex'), \(Int32(shownDigits))) AS token_ending, d.environment,
        d.authorization_status, d.user_id, d.locale, d.time_zone, d.os_version, d.app_version, d.model, d.settings,
        d.is_test, d.nickname, coalesce(d.own_attributes, d.attributes) AS attributes,
        coalesce(d.own_tags, d.tags) AS tags, coalesce(d.own_opt_outs, d.opt_outs) AS opt_outs,
        p.attributes AS person_attributes, p.tags AS person_tags, p.opt_outs AS person_opt_outs
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        address = DeviceAddress(try row["installation"], kind: try row["kind"], activity: try row["activity"])
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        tokenRegisteredAt = try row["token_registered_at"]
        lastSeenAt = try row["last_seen_at"]
        retiredAt = try row["retired_at"]
        retiredReason = try row["retired_reason"]
        tokenEnding = try row["token_ending"]
        environment = try row["environment"]
        authorization = try row["authorization_status"]
        userID = try row["user_id"]
        locale = try row["locale"]
        timeZone = try row["time_zone"]
        osVersion = try row["os_version"]
        appVersion = try row["app_version"]
        model = try row["model"]
        attributes = try row["attributes"]
        settings = try row["settings"]
        tags = try row["tags"]
        optOuts = try row["opt_outs"]
        isTest = try row["is_test"]
        nickname = try row["nickname"]
        if let attributes: JSONText = try row["person_attributes"] {
            person = Profile(attributes: attributes, tags: try row["person_tags"], optOuts: try row["person_opt_outs"])
        } else {
            person = userID == nil ? nil : Profile.none
        }
    }
}
