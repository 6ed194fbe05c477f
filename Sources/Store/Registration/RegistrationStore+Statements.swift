import Campaigns
import Notifications
public import Postgres

extension RegistrationStore {
    struct Found {
        let device: Int64?
        let wasSeenToday: Bool
        var userID: String?
        var isLive = false
        var version = 0
        var environment: PushEnvironment?
        /// Only files have named it.
        var isImported = false
        /// When the newest statement about it was sent; nil: unknown.
        var sentAt: Timestamp?
        /// The same for the newest statement about its user and token.
        var userSentAt: Timestamp?
        /// The same for those about its opt-outs.
        var optOuts = OptOutOrder()
        /// If the device is new, the newest statement about the user of another device of its installation.
        var ofInstallation: (userSentAt: Timestamp, userID: String?)?
    }

    /// Of the 30 tags of an app that statistics count, those for tags that come with a publishable key: whoever reads the
    /// key out of the app could fill all of them. The others are left to servers and people.
    static let countedTagsOfApps = "15"

    /// Statements that prepare a group, in one round trip: the locks of the apps, the devices, and the owners of the
    /// tokens.
    ///
    /// Each statement is planned again for every execution. A cached plan that was made while the table was empty would
    /// be used for ever, and reads an app's whole index for each row (measured: 450 registrations a second instead of
    /// thousands). The planner knows the table's present size without an ANALYZE.
    static func lookUps(_ group: RegistrationGroup, fromApps: Bool) -> [PostgresQuery] {
        [
            """
            WITH locked AS MATERIALIZED (\(RowLock.OfApp.registrations.wait(for: group.apps)))
            SELECT set_config('plan_cache_mode', 'force_custom_plan', true), count(*),
                set_config('belfry.counted_tags', \(fromApps ? Self.countedTagsOfApps : ""), true)
            FROM locked
            """,
            present(group.entries, isAboutPastUsers: group.hasDatedLogins),
            owners(of: group.namedTokens),
        ]
    }

    /// Looks up all devices, in the order of the entries. With `isAboutPastUsers`, also the newest statement about the user
    /// of an installation that gets another device.
    private static func present(_ entries: [RegistrationGroup.Entry], isAboutPastUsers: Bool) -> PostgresQuery {
        let ofInstallation: PostgresQuery =
            isAboutPastUsers
            ? """
            LEFT JOIN LATERAL (
                SELECT b.user_sent_at, o.user_id FROM devices o
                CROSS JOIN LATERAL (
                    SELECT user_sent_at FROM device_activity WHERE app_id = o.app_id AND device_id = o.id OFFSET 0
                ) b
                WHERE d.id IS NULL AND o.app_id = g.app_id AND o.installation = g.installation
                    AND b.user_sent_at IS NOT NULL
                ORDER BY b.user_sent_at DESC LIMIT 1
            ) s ON true
            """ : "CROSS JOIN (SELECT NULL::timestamptz AS user_sent_at, NULL::text AS user_id) s"
        return """
            SELECT d.id, coalesce(a.last_seen_at >= date_trunc('day', now(), 'UTC'), false), d.user_id,
                d.retired_at IS NULL, d.version, d.environment, a.sent_at, a.user_sent_at,
                a.opt_outs_sent_at, a.consented, d.is_imported, s.user_sent_at, s.user_id
            FROM unnest(
                \(entries.map(\.key.app)), \(entries.map(\.key.address.installation)),
                \(entries.map(\.key.address.kind.rawValue)), \(entries.map(\.key.address.activity))
            ) WITH ORDINALITY AS g (app_id, installation, kind, activity, position)
            LEFT JOIN LATERAL (
                SELECT app_id, id, user_id, retired_at, environment, \(DeviceRecord.version) AS version,
                    imported_as_of IS NOT NULL AS is_imported
                FROM devices d
                WHERE app_id = g.app_id AND installation = g.installation AND kind = g.kind AND activity = g.activity
                OFFSET 0
            ) d ON true
            LEFT JOIN LATERAL (
                SELECT last_seen_at, sent_at, user_sent_at, opt_outs_sent_at, consented FROM device_activity
                WHERE app_id = d.app_id AND device_id = d.id OFFSET 0
            ) a ON true
            \(ofInstallation)
            ORDER BY g.position
            """
    }

    static func present(in rows: PostgresRows) throws(PostgresError) -> [Found] {
        var found: [Found] = []
        found.reserveCapacity(rows.count)
        for row in rows {
            guard let device: Int64 = try row[0] else {
                var new = Found(device: nil, wasSeenToday: false)
                if let time: Timestamp = try row[11] { new.ofInstallation = (time, try row[12]) }
                found.append(new)
                continue
            }
            found.append(
                Found(
                    device: device, wasSeenToday: try row[1], userID: try row[2], isLive: try row[3],
                    version: try row[4], environment: PushEnvironment(rawValue: try row[5]), isImported: try row[10],
                    sentAt: try row[6],
                    userSentAt: try row[7],
                    optOuts: OptOutOrder(
                        newest: try row[8, as: Timestamp?.self].map { $0.instant }, consented: try row[9])))
        }
        return found
    }

    /// The present owners of the tokens.
    private static func owners(of tokens: [RegistrationGroup.TokenKey]) -> PostgresQuery {
        """
        SELECT g.app_id, g.token, d.id, d.installation, d.kind, d.activity, d.retired_at IS NULL,
            d.imported_as_of IS NOT NULL
        FROM unnest(\(tokens.map(\.app)), \(tokens.map(\.token.bytes))) AS g (app_id, token)
        CROSS JOIN LATERAL (
            SELECT id, installation, kind, activity, retired_at, imported_as_of FROM devices
            WHERE app_id = g.app_id AND token = g.token OFFSET 0
        ) d
        """
    }

    static func owners(in rows: PostgresRows) throws -> [RegistrationGroup.TokenOwner] {
        try rows.map { row in
            RegistrationGroup.TokenOwner(
                key: RegistrationGroup.TokenKey(app: try row[0], token: try DeviceToken(bytes: try row[1])),
                device: try row[2],
                address: DeviceAddress(try row[3], kind: try row[4], activity: try row[5]), isLive: try row[6],
                isImported: try row[7])
        }
    }

    /// Removes the tokens of devices that lose them, and retires the devices.
    static func releaseTokens(of owners: [(app: Int64, device: Int64)]) -> PostgresQuery {
        let owners = owners.sorted { $0 < $1 }
        return """
            WITH owners AS MATERIALIZED (
                SELECT d.app_id, d.id, d.retired_at IS NULL AS was_live
                FROM unnest(\(owners.map(\.app)), \(owners.map(\.device))) AS g (app_id, id)
                JOIN devices d ON d.app_id = g.app_id AND d.id = g.id
                ORDER BY d.app_id, d.id
                FOR UPDATE OF d
            ), counted AS (\(DeviceDays.count(.retired, in: "owners", where: "was_live")))
            UPDATE devices d
            SET token = NULL,
                retired_at = coalesce(d.retired_at, now()),
                retired_reason = coalesce(d.retired_reason, \(RetiredReason.tokenMoved)),
                updated_at = now()
            FROM owners o
            WHERE d.app_id = o.app_id AND d.id = o.id
            """
    }

    /// Updates the devices that change. Other rows are not written.
    static func update(_ devices: DeviceColumns) -> PostgresQuery {
        """
        WITH changed AS MATERIALIZED (
            SELECT d.app_id, d.id, d.retired_at IS NULL AS was_live, n.*
            FROM \(devices.rows) AS \(unescaped: DeviceColumns.names)
            JOIN devices d ON d.app_id = g.app_id AND d.id = g.id
            CROSS JOIN LATERAL (
                SELECT CASE WHEN g.given & 1 <> 0 THEN g.user_id ELSE d.user_id END AS user_id,
                    CASE
                        -- A file knew the device until now.
                        WHEN d.imported_as_of IS NOT NULL AND g.given & 128 <> 0
                            THEN nullif(coalesce(d.own_attributes, d.attributes), '{}')
                        ELSE d.inherited_attributes
                    END AS inherited
                OFFSET 0
            ) u
            \(ProfileColumns.person(app: "d.app_id", user: "u.user_id"))
            CROSS JOIN LATERAL (
                SELECT
                    \(ProfileColumns.attributes(
                        after: "coalesce(d.own_attributes, d.attributes)", inheriting: "u.inherited")) AS attributes,
                    \(ProfileColumns.tags(after: "coalesce(d.own_tags, d.tags)")) AS tags,
                    \(ProfileColumns.optOuts(after: "coalesce(d.own_opt_outs, d.opt_outs)")) AS opt_outs
                OFFSET 0
            ) o
            CROSS JOIN LATERAL (
                SELECT
                    CASE WHEN g.has_lost_token THEN NULL ELSE coalesce(g.token, d.token) END AS token,
                    CASE
                        WHEN g.has_lost_token THEN coalesce(d.retired_at, now())
                        WHEN g.token IS NULL THEN d.retired_at
                    END AS retired_at,
                    CASE
                        WHEN g.has_lost_token THEN coalesce(d.retired_reason, \(RetiredReason.tokenMoved))
                        WHEN g.token IS NULL THEN d.retired_reason
                    END AS retired_reason,
                    coalesce(g.environment, d.environment) AS environment,
                    coalesce(g.authorization_status, d.authorization_status) AS authorization_status,
                    u.user_id,
                    CASE WHEN g.given & 2 <> 0 THEN g.locale ELSE d.locale END AS locale,
                    CASE WHEN g.given & 4 <> 0 THEN g.time_zone ELSE d.time_zone END AS time_zone,
                    CASE WHEN g.given & 8 <> 0 THEN g.os_version ELSE d.os_version END AS os_version,
                    CASE WHEN g.given & 16 <> 0 THEN g.app_version ELSE d.app_version END AS app_version,
                    CASE WHEN g.given & 32 <> 0 THEN g.model ELSE d.model END AS model,
                    coalesce(g.settings, d.settings) AS settings,
                    \(ProfileColumns.deviceValues),
                    \(ProfileColumns.inheritedAttributes(after: "u.inherited")) AS inherited_attributes,
                    coalesce(g.is_test, d.is_test) AS is_test,
                    CASE WHEN g.given & 64 <> 0 THEN g.nickname ELSE d.nickname END AS nickname,
                    CASE
                        WHEN d.imported_as_of IS NOT NULL AND g.given & 128 = 0
                            THEN greatest(d.imported_as_of, g.imported_as_of)
                    END AS imported_as_of,
                    CASE WHEN g.imported_as_of IS NULL THEN now() ELSE d.stated_at END AS stated_at
            ) n
            WHERE (
                d.token, d.retired_at, d.retired_reason, d.environment, d.authorization_status, d.user_id,
                d.locale, d.time_zone, d.os_version, d.app_version, d.model, d.settings, d.is_test, d.nickname,
                d.imported_as_of, d.inherited_attributes, \(ProfileColumns.deviceColumns(of: "d"))
            ) IS DISTINCT FROM (
                n.token, n.retired_at, n.retired_reason, n.environment, n.authorization_status, n.user_id,
                n.locale, n.time_zone, n.os_version, n.app_version, n.model, n.settings, n.is_test, n.nickname,
                n.imported_as_of, n.inherited_attributes, \(ProfileColumns.deviceColumns(of: "n"))
            )
            ORDER BY d.app_id, d.id
            FOR UPDATE OF d
        ), counted AS (
            \(DeviceDays.count(
                """
                SELECT app_id, CASE WHEN was_live THEN \(DeviceDays.Measure.retired.sql)
                    ELSE \(DeviceDays.Measure.registeredAgain.sql) END
                FROM changed WHERE was_live <> (retired_at IS NULL)
                """))
        )
        UPDATE devices d
        SET token = c.token,
            retired_at = c.retired_at,
            retired_reason = c.retired_reason,
            environment = c.environment,
            authorization_status = c.authorization_status,
            user_id = c.user_id,
            locale = c.locale,
            time_zone = c.time_zone,
            os_version = c.os_version,
            app_version = c.app_version,
            model = c.model,
            settings = c.settings,
            \(ProfileColumns.assignments(from: "c")),
            inherited_attributes = c.inherited_attributes,
            is_test = c.is_test,
            nickname = c.nickname,
            imported_as_of = c.imported_as_of,
            stated_at = c.stated_at,
            updated_at = now(),
            token_registered_at = CASE
                WHEN c.token IS DISTINCT FROM d.token OR d.retired_at IS NOT NULL AND c.retired_at IS NULL
                    THEN now()
                ELSE d.token_registered_at
            END
        FROM changed c
        WHERE d.app_id = c.app_id AND d.id = c.id
        """
    }

    /// Inserts devices and returns their ids in the order of the rows, in which they are numbered. A trigger of the
    /// schema adds their activity.
    static func insert(_ devices: DeviceColumns) -> PostgresQuery {
        """
        WITH stored AS (
            INSERT INTO devices (
                app_id, token, retired_at, retired_reason, environment, authorization_status, installation, kind,
                activity, user_id, locale, time_zone, os_version, app_version, model, settings, is_test, nickname,
                imported_as_of, stated_at, attributes, tags, opt_outs, own_attributes, own_tags, own_opt_outs
            )
            SELECT
                g.app_id,
                CASE WHEN NOT g.has_lost_token THEN g.token END,
                CASE WHEN g.has_lost_token THEN now() END,
                CASE WHEN g.has_lost_token THEN \(RetiredReason.tokenMoved) END,
                g.environment,
                coalesce(g.authorization_status, \(AuthorizationStatus.standard)),
                g.installation, g.kind, g.activity,
                g.user_id, g.locale, g.time_zone, g.os_version, g.app_version, g.model,
                coalesce(g.settings, '{}'), coalesce(g.is_test, false), g.nickname, g.imported_as_of,
                CASE WHEN g.imported_as_of IS NULL THEN now() END,
                \(ProfileColumns.deviceValues)
            FROM \(devices.rows) AS \(unescaped: DeviceColumns.names)
            \(ProfileColumns.person(app: "g.app_id", user: "g.user_id"))
            CROSS JOIN LATERAL (
                SELECT
                    \(ProfileColumns.attributes(after: "'{}'::jsonb")) AS attributes,
                    \(ProfileColumns.tags(after: "'{}'::text[]")) AS tags,
                    \(ProfileColumns.optOuts(after: "'{}'::text[]")) AS opt_outs
                OFFSET 0
            ) o
            RETURNING app_id, id
        ), counted AS (
            \(DeviceDays.count(
                """
                SELECT app_id, measure FROM stored,
                    unnest(ARRAY[\(DeviceDays.Measure.new.sql), \(DeviceDays.Measure.active.sql)]) AS measure
                """))
        )
        SELECT id FROM stored ORDER BY id
        """
    }

    static func deviceIDs(in rows: PostgresRows) throws(PostgresError) -> [Int64] {
        var ids: [Int64] = []
        ids.reserveCapacity(rows.count)
        for row in rows { ids.append(try row[0]) }
        return ids
    }
}

/// Why a device was retired. The raw value is stored in the database.
public enum RetiredReason: Int16, CaseIterable, Hashable, Sendable {
    case unregistered = 1
    case tokenExpired = 2
    case badToken = 3
    case tokenMoved = 4
    case removed = 5

    public var name: String {
        switch self {
        case .unregistered: "unregistered"
        case .tokenExpired: "token_expired"
        case .badToken: "bad_token"
        case .tokenMoved: "token_moved"
        case .removed: "removed"
        }
    }
}

extension RetiredReason: PostgresEncodable, PostgresDecodable {}
