import Administration
public import Campaigns
public import Crypto
import Notifications
public import Postgres

public struct AppStore: Sendable {
    private let pool: PostgresPool
    private let sealingKeys: SealingKeyRing

    public init(pool: PostgresPool, sealingKeys: SealingKeyRing) {
        self.pool = pool
        self.sealingKeys = sealingKeys
    }

    /// Creates the app and the first version of its message key, in one transaction.
    public func create(_ settings: AppSettings) async throws -> AppRecord {
        if settings.verifiesIdentity { throw Refusal.identityKeyMissing }
        let zone = try Self.checked(settings.defaultTimeZone)
        return try await mappingConstraintErrors {
            try await pool.transaction { connection in
                let rows = try await connection.query(
                    """
                    INSERT INTO apps (name, bundle_id, message_id_key, default_locale, default_time_zone,
                        attachment_url_key, attachment_type_key, quiet_hours, frequency_cap_count, frequency_cap_days,
                        pushes_per_second, new_installations_per_minute, event_days, reply_days, recipient_days,
                        custom_event_days, approval_above, global_control)
                    VALUES (\(settings.name), \(settings.bundleID.text), \(settings.messageIDKey),
                        \(settings.defaultLocale), \(zone),
                        \(settings.attachmentKeys.url), \(settings.attachmentKeys.type),
                        \(settings.quietHours?.json.text)::json, \(settings.frequencyCap.map { Int16($0.count) }),
                        \(settings.frequencyCap.map { Int16($0.days) }), \(settings.pushesPerSecond),
                        \(settings.newInstallationsPerMinute), \(settings.retention.eventDays.map { Int16($0) }),
                        \(settings.retention.replyDays.map { Int16($0) }),
                        \(settings.retention.recipientDays.map { Int16($0) }),
                        \(settings.retention.customEventDays.map { Int16($0) }), \(settings.approvalAbove),
                        \(settings.globalControl?.json.text)::json)
                    RETURNING \(AppRecord.columns)
                    """)
                guard let row = rows.first else { throw Refusal.notFound(.app) }
                let app = try AppRecord(row)
                let sealed = try MessageKeyStore.newSealedKey(app: app.id, version: 1, sealingKeys)
                try await connection.execute(
                    "INSERT INTO message_keys (app_id, version, sealed) VALUES (\(app.id), 1, \(sealed))")
                if let control = settings.globalControl {
                    try await connection.execute(ControlPeriodStore.beginning(of: control, app: app.id))
                }
                return app
            }
        }
    }

    public func find(_ id: App.ID) async throws -> AppRecord {
        let rows = try await pool.query("SELECT \(AppRecord.columns) FROM apps WHERE id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.app) }
        return try AppRecord(row)
    }

    /// Newest first; `before` is the last id of the page before. With `only`, at most that app.
    public func list(only: Set<App.ID>?, before: App.ID?, limit: Int) async throws -> [AppRecord] {
        let rows = try await pool.query(
            """
            SELECT \(AppRecord.columns) FROM apps
            WHERE id < \(keysetBound(before)) AND (\(only == nil) OR id = ANY (\((only ?? []).map(\.rawValue))))
            ORDER BY id DESC LIMIT \(limit)
            """)
        return try rows.map { try AppRecord($0) }
    }

    /// Replaces the settings of the version that was read; `versionConflict` when there is a newer one, and
    /// `messageIDKeyTaken` when a content would have the key twice.
    public func update(_ id: App.ID, version: Int, to settings: AppSettings) async throws -> AppRecord {
        let zone = try Self.checked(settings.defaultTimeZone)
        if let content = try await content(of: id, withKey: settings.messageIDKey) {
            throw Refusal.messageIDKeyTaken(by: content)
        }
        if settings.verifiesIdentity, try await !hasIdentityKey(id) { throw Refusal.identityKeyMissing }
        let before = try await find(id).settings.globalControl
        let change: PostgresQuery = """
            WITH deleted AS (
                DELETE FROM rate_limits p USING apps a
                WHERE a.id = \(id) AND p.app_id = a.id AND p.run_id = 0
                    AND a.pushes_per_second IS DISTINCT FROM \(settings.pushesPerSecond)
            )
            UPDATE apps
            SET name = \(settings.name), bundle_id = \(settings.bundleID.text),
                message_id_key = \(settings.messageIDKey), default_locale = \(settings.defaultLocale),
                default_time_zone = \(zone),
                attachment_url_key = \(settings.attachmentKeys.url),
                attachment_type_key = \(settings.attachmentKeys.type),
                quiet_hours = \(settings.quietHours?.json.text)::json,
                frequency_cap_count = \(settings.frequencyCap.map { Int16($0.count) }),
                frequency_cap_days = \(settings.frequencyCap.map { Int16($0.days) }),
                pushes_per_second = \(settings.pushesPerSecond),
                identity_verification = \(settings.verifiesIdentity),
                new_installations_per_minute = \(settings.newInstallationsPerMinute),
                event_days = \(settings.retention.eventDays.map { Int16($0) }),
                reply_days = \(settings.retention.replyDays.map { Int16($0) }),
                recipient_days = \(settings.retention.recipientDays.map { Int16($0) }),
                custom_event_days = \(settings.retention.customEventDays.map { Int16($0) }),
                approval_above = \(settings.approvalAbove),
                global_control = \(settings.globalControl?.json.text)::json,
                version = version + 1, updated_at = now()
            WHERE id = \(id) AND version = \(version)
            RETURNING \(AppRecord.columns)
            """
        let changed: AppRecord? = try await mappingConstraintErrors {
            try await pool.transaction { connection in
                guard let row = try await connection.query(change).first else { return nil }
                if before != settings.globalControl {
                    try await connection.execute(ControlPeriodStore.end(app: id))
                    if let control = settings.globalControl {
                        try await connection.execute(ControlPeriodStore.beginning(of: control, app: id))
                    }
                }
                return try AppRecord(row)
            }
        }
        guard let changed else { throw Refusal.versionConflict(current: try await find(id).version) }
        return changed
    }

    private func hasIdentityKey(_ id: App.ID) async throws -> Bool {
        try await !pool.query("SELECT FROM identity_keys WHERE app_id = \(id) LIMIT 1").isEmpty
    }

    /// The name of a template or an unsent campaign whose payload already uses this key.
    private func content(of id: App.ID, withKey key: String) async throws -> String? {
        let rows = try await pool.query(
            """
            SELECT t.name FROM templates t
            JOIN template_versions v ON v.app_id = t.app_id AND v.template_id = t.id
            WHERE t.app_id = \(id)
                AND (v.version = t.version AND t.archived_at IS NULL OR EXISTS (
                    SELECT FROM campaigns c
                    WHERE c.app_id = v.app_id AND (
                            c.template_id = v.template_id AND c.template_version = v.version OR EXISTS (
                                SELECT FROM json_array_elements(c.variants) AS e
                                WHERE (e ->> 'template')::bigint = v.template_id
                                    AND (e ->> 'template_version')::integer = v.version))
                        AND c.state IN ('draft', 'scheduled')))
                AND \(Self.has(key, "v.content"))
            UNION ALL
            SELECT c.name FROM campaigns c
            WHERE c.app_id = \(id) AND c.state IN ('draft', 'scheduled') AND EXISTS (
                SELECT FROM (
                    SELECT c.payload, c.content
                    UNION ALL SELECT e -> 'payload', e -> 'content' FROM json_array_elements(c.variants) AS e
                ) AS b (payload, content)
                WHERE b.payload -> \(key) IS NOT NULL OR \(Self.has(key, "b.content")))
            LIMIT 1
            """)
        return try rows.first.map { try $0[0] }
    }

    /// Whether a content has the key in the payload of any language.
    private static func has(_ key: String, _ content: PostgresQuery) -> PostgresQuery {
        """
        (\(content) -> 'payload' -> \(key) IS NOT NULL OR EXISTS (
            SELECT FROM json_each(coalesce(\(content) -> 'variants', '{}')) e
            WHERE json_typeof(e.value) = 'object' AND e.value -> \(key) IS NOT NULL))
        """
    }

    /// Deletes the app with its keys, devices, campaigns and ledgers. Not possible while a campaign is sending.
    public func delete(_ id: App.ID, expectedVersion: Int? = nil) async throws {
        let deleted = try await pool.execute(
            """
            DELETE FROM apps
            WHERE id = \(id) AND \(isAt(expectedVersion))
                AND NOT EXISTS (SELECT FROM campaigns WHERE app_id = apps.id AND state IN ('sending', 'paused'))
                AND NOT EXISTS (SELECT FROM runs WHERE app_id = apps.id AND finished_at IS NULL)
                AND NOT EXISTS (SELECT FROM batches WHERE app_id = apps.id AND run_id IS NULL AND state = 'leased')
            """)
        guard deleted == 0 else { return }
        try Refusal.checkVersion(try await find(id).version, expectedVersion)
        throw Refusal.appIsSending
    }

    /// The time zone itself; refused if it is not a canonical name.
    private static func checked(_ zone: String) throws -> String {
        guard ZoneName.canonical(zone) == zone else { throw Refusal.unknownTimeZone }
        return zone
    }
}
