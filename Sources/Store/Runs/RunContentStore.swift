public import Campaigns
import JSON
public import Notifications
public import Postgres

/// The options and the uncompiled contents of a run, frozen when it began.
public struct RunSource: Sendable {
    public let run: Run.ID
    public let app: App.ID
    public let bundleID: BundleID
    public let messageKeyVersion: Int16
    public let pushType: PushType
    public let priority: Priority
    /// The value of `apns-expiration`, in seconds since 1970; 0 means one attempt and no storage.
    public let expiration: Int
    public let collapseID: CollapseID?
    public let unknownPolicy: UnknownPolicy
    /// Rejections per 100 responses above which sending stops; nil: no threshold.
    public let rejectionThresholdPercent: Int?
    public let consent: Consent
    /// At least one. A batch names its variant by its place.
    public let variants: [Variant]
    /// Values that replace attributes with the same names; nil when there are none.
    public let values: JSONText?
    /// The app's context when the run began.
    public let context: ContentContext

    public struct Variant: Sendable {
        public let name: String
        public let messageNumber: Int64
        public let body: Body
    }

    public enum Body: Sendable {
        /// JSON as text, sent unchanged.
        case payload(String)
        /// A content as a template or the campaign itself has it, as JSON text.
        case content(String)
        /// The run was cancelled: its content is not read, since it may be the reason for the cancellation.
        case cancelled
    }
}

public struct RunContentStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func source(of run: Run.Key) async throws -> RunSource? {
        let rows = try await pool.query(
            """
            SELECT a.bundle_id, m.name AS variant_name, m.message_number, r.message_key_version, r.push_type, r.priority,
                CASE r.expiration_seconds WHEN 0 THEN 0 ELSE extract(epoch FROM r.expires_at)::bigint END AS expiration,
                r.collapse_id, r.unknown_policy, r.rejection_threshold_percent,
                r.message_id_key, r.default_locale, r.default_time_zone, r.attachment_url_key, r.attachment_type_key,
                m.payload::text, coalesce(m.content, v.content)::text AS content, r.topic, r.state, r.values
            FROM runs r
            JOIN apps a ON a.id = r.app_id
            JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
            LEFT JOIN template_versions v
                ON v.app_id = m.app_id AND v.template_id = m.template_id AND v.version = m.template_version
            WHERE r.app_id = \(run.app) AND r.id = \(run.id)
            ORDER BY m.variant
            """)
        guard let row = rows.first else { return nil }
        let pushType: PushType = try row["push_type"]
        return RunSource(
            run: run.id, app: run.app, bundleID: try BundleID(try row["bundle_id"]),
            messageKeyVersion: try row["message_key_version"], pushType: pushType, priority: try row["priority"],
            expiration: try row["expiration"],
            collapseID: try row["collapse_id", as: String?.self].map { try CollapseID($0) },
            unknownPolicy: try row["unknown_policy"],
            rejectionThresholdPercent: try row["rejection_threshold_percent"],
            consent: Consent(topic: try row["topic"], pushType: pushType),
            variants: try rows.map {
                RunSource.Variant(
                    name: try $0["variant_name"], messageNumber: try $0["message_number"], body: try Self.body($0))
            },
            values: try row["values"],
            context: ContentContext(
                messageIDKey: try row["message_id_key"], defaultLocale: try row["default_locale"],
                defaultTimeZone: try row["default_time_zone"],
                attachmentKeys: AttachmentKeys(url: try row["attachment_url_key"], type: try row["attachment_type_key"])
            ))
    }

    private static func body(_ row: PostgresRow) throws -> RunSource.Body {
        if try row["state", as: RunRecord.State.self] == .cancelled { return .cancelled }
        if let payload = try row["payload", as: String?.self] { return .payload(payload) }
        return .content(try row["content"])
    }
}

extension Priority: PostgresDecodable {
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Priority {
        guard let priority = Priority(rawValue: Int(try Int16.decode(value))) else { throw .malformed }
        return priority
    }
}
