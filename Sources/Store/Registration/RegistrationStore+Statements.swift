import Campaigns
import Postgres

extension RegistrationStore {
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
    static func update(_ devices: [WrittenDevice]) -> PostgresQuery {
        let columns = DeviceColumns.changed
        return """
            WITH changed AS MATERIALIZED (
                SELECT d.app_id, d.id, d.retired_at IS NULL AS was_live, \(DevicePast.change),
                    CASE WHEN g.imported_as_of IS NULL THEN now() ELSE d.stated_at END AS stated_at, n.*
                FROM \(DeviceColumns.table(devices))
                JOIN devices d ON d.app_id = g.app_id AND d.id = g.id
                CROSS JOIN LATERAL (
                    SELECT \(DeviceColumns.text(.userID)) AS user_id,
                        CASE
                            -- A file knew the device until now.
                            WHEN d.imported_as_of IS NOT NULL AND \(DeviceColumns.isRegisteredByApp)
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
                CROSS JOIN LATERAL (SELECT \(columns.values)) n
                WHERE \(columns.row(of: "d")) IS DISTINCT FROM \(columns.row(of: "n"))
                ORDER BY d.app_id, d.id
                FOR UPDATE OF d
            ), counted AS (
                \(DeviceDays.count(
                    """
                    SELECT app_id, CASE WHEN was_live THEN \(DeviceDays.Measure.retired.sql)
                        ELSE \(DeviceDays.Measure.registeredAgain.sql) END
                    FROM changed WHERE was_live <> (retired_at IS NULL)
                    """))
            ), \(DevicePast.keep(of: "changed"))
            UPDATE devices d
            SET \(columns.assigned(from: "c")),
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

    /// Inserts devices with their activity, and returns their ids in the order of the rows, in which they are numbered.
    static func insert(_ devices: [WrittenDevice]) -> PostgresQuery {
        let dated = devices.filter { !$0.times.isEmpty }
        return """
            WITH added AS (
                INSERT INTO devices (app_id, installation, kind, activity, stated_at, \(DeviceColumns.new.names))
                SELECT g.app_id, g.installation, g.kind, g.activity,
                    CASE WHEN g.imported_as_of IS NULL THEN now() END, \(DeviceColumns.new.values)
                FROM \(DeviceColumns.table(devices))
                \(ProfileColumns.person(app: "g.app_id", user: "g.user_id"))
                CROSS JOIN LATERAL (
                    SELECT
                        \(ProfileColumns.attributes(after: "'{}'::jsonb")) AS attributes,
                        \(ProfileColumns.tags(after: "'{}'::text[]")) AS tags,
                        \(ProfileColumns.optOuts(after: "'{}'::text[]")) AS opt_outs
                    OFFSET 0
                ) o
                RETURNING *
            ), counted AS (
                \(DeviceDays.count(
                    """
                    SELECT app_id, measure FROM added,
                        unnest(ARRAY[\(DeviceDays.Measure.new.sql), \(DeviceDays.Measure.active.sql)]) AS measure
                    """))
            ), seen AS (
                INSERT INTO device_activity (
                    app_id, device_id, last_seen_at, profile, profile_since, sent_at, user_sent_at, opt_outs_sent_at,
                    consented
                )
                SELECT d.app_id, d.id, now(), p.profile, clock_timestamp(), g.sent_at, g.user_sent_at,
                    g.opt_outs_sent_at, \(DeviceActivity.consented)
                FROM \(DevicePast.profiles(of: "added")) p
                JOIN added d ON d.app_id = p.app_id AND d.id = p.device_id
                LEFT JOIN \(DeviceColumns.times(of: dated))
                    ON (g.app_id, g.installation, g.kind, g.activity) = (d.app_id, d.installation, d.kind, d.activity)
            )
            SELECT id FROM added ORDER BY id
            """
    }

    static func deviceIDs(in rows: PostgresRows) throws(PostgresError) -> [Int64] {
        var ids: [Int64] = []
        ids.reserveCapacity(rows.count)
        for row in rows { ids.append(try row[0]) }
        return ids
    }
}
