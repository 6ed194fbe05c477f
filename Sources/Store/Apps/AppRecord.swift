public import Administration
public import Campaigns
public import Notifications
public import Postgres

/// An app that Belfry sends for, as it is stored.
public struct AppRecord: Hashable, Sendable {
    public let id: App.ID
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// Raised by every edit.
    public let version: Int
    public let settings: AppSettings
}

/// The settings of an app that people edit.
public struct AppSettings: Hashable, Sendable {
    /// Characters.
    public static let maximumNameLength = 100
    public static let maximumMessageIDKeyLength = 32
    public static let maximumNewInstallationsPerMinute = 10_000_000
    public static let maximumApprovalAbove = 1_000_000_000

    public var name: String
    public var bundleID: BundleID
    /// The key beside `aps` that has the message id.
    public var messageIDKey: String
    public var defaultLocale: String
    public var defaultTimeZone: String
    /// The keys beside `aps` that have the media.
    public var attachmentKeys: AttachmentKeys
    public var quietHours: QuietHours?
    public var frequencyCap: FrequencyCap?
    /// The rate limit over all campaigns of the app and all processes; nil: no limit.
    public var pushesPerSecond: Int?
    /// Whether a registration with a publishable key must prove its user ID.
    public var verifiesIdentity: Bool
    /// New installations that publishable keys may register in a minute, per process; nil: the default.
    public var newInstallationsPerMinute: Int?
    public var retention: RetentionPolicy
    /// Campaigns with more recipients need the approval of a second person; 0: all. Nil: none.
    public var approvalAbove: Int?
    public var globalControl: GlobalControl?

    public init(
        name: String, bundleID: BundleID, messageIDKey: String = "i", defaultLocale: String = "en",
        defaultTimeZone: String = "UTC", attachmentKeys: AttachmentKeys = .standard, quietHours: QuietHours? = nil,
        frequencyCap: FrequencyCap? = nil, pushesPerSecond: Int? = nil, verifiesIdentity: Bool = false,
        newInstallationsPerMinute: Int? = nil, retention: RetentionPolicy = .forever,
        approvalAbove: Int? = nil, globalControl: GlobalControl? = nil
    ) {
        self.name = name
        self.bundleID = bundleID
        self.messageIDKey = messageIDKey
        self.defaultLocale = defaultLocale
        self.defaultTimeZone = defaultTimeZone
        self.attachmentKeys = attachmentKeys
        self.quietHours = quietHours
        self.frequencyCap = frequencyCap
        self.pushesPerSecond = pushesPerSecond
        self.verifiesIdentity = verifiesIdentity
        self.newInstallationsPerMinute = newInstallationsPerMinute
        self.retention = retention
        self.approvalAbove = approvalAbove
        self.globalControl = globalControl
    }
}

extension AppRecord {
    static let columns: PostgresQuery = """
        id, created_at, updated_at, version, name, bundle_id, message_id_key, default_locale, default_time_zone,
        attachment_url_key, attachment_type_key, quiet_hours::text, frequency_cap_count, frequency_cap_days,
        pushes_per_second, identity_verification, new_installations_per_minute, event_days, reply_days,
        recipient_days, custom_event_days, approval_above, global_control::text
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        version = try row["version"]
        settings = AppSettings(
            name: try row["name"], bundleID: try BundleID(row["bundle_id"]), messageIDKey: try row["message_id_key"],
            defaultLocale: try row["default_locale"],
            defaultTimeZone: try row["default_time_zone"],
            attachmentKeys: AttachmentKeys(url: try row["attachment_url_key"], type: try row["attachment_type_key"]),
            quietHours: try RuleColumns.quietHours(row["quiet_hours"]),
            frequencyCap: try RuleColumns.cap(row["frequency_cap_count"], row["frequency_cap_days"]),
            pushesPerSecond: try row["pushes_per_second"], verifiesIdentity: try row["identity_verification"],
            newInstallationsPerMinute: try row["new_installations_per_minute"],
            retention: RetentionPolicy(
                eventDays: try row["event_days", as: Int16?.self].map(Int.init),
                replyDays: try row["reply_days", as: Int16?.self].map(Int.init),
                recipientDays: try row["recipient_days", as: Int16?.self].map(Int.init),
                customEventDays: try row["custom_event_days", as: Int16?.self].map(Int.init)),
            approvalAbove: try row["approval_above"],
            globalControl: try RuleColumns.globalControl(row["global_control"]))
    }
}
