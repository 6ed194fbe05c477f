import Postgres

/// What devices were: a profile (locale, versions and tags, as a code) and a user, so that a report does not change when
/// a device does. A statement that adds devices, or changes one of these values, records it itself.
enum DevicePast {
    private static let look: PostgresQuery =
        "ROW(app_id, id, locale, os_version, app_version, tags)::device_look"

    /// The profiles of devices that a statement adds, as a table for FROM: `app_id`, `device_id`, `profile`. `added` has
    /// the columns of a look.
    static func profiles(of added: String) -> PostgresQuery {
        "profile_codes(ARRAY(SELECT \(look) FROM \(unescaped: added)))"
    }

    /// The columns that `keep` reads of a changed device, for a statement that changes no more than tags and user of the
    /// device `d`; the tags themselves are a column, too.
    static func change(tags: PostgresQuery, user: PostgresQuery = "d.user_id") -> PostgresQuery {
        """
        d.locale, d.os_version, d.app_version, \(user) AS user_id, d.user_id AS user_before,
        (\(tags), \(user)) IS DISTINCT FROM (d.tags, d.user_id) AS has_other_look
        """
    }

    /// The same for a statement that changes the device `d` to `n`, of which all columns are selected.
    static let change: PostgresQuery = """
        d.user_id AS user_before,
        (n.locale, n.os_version, n.app_version, n.tags, n.user_id)
            IS DISTINCT FROM (d.locale, d.os_version, d.app_version, d.tags, d.user_id) AS has_other_look
        """

    /// CTEs that give the devices of the CTE `changed` their new profiles, and keep what held until now.
    static func keep(of changed: String) -> PostgresQuery {
        """
        looks AS MATERIALIZED (
            SELECT * FROM profile_codes(ARRAY(SELECT \(look) FROM \(unescaped: changed) WHERE has_other_look))
        ), moved AS MATERIALIZED (
            SELECT a.app_id, a.device_id, l.profile, a.profile AS profile_before, c.user_before,
                clock_timestamp() AS moment
            FROM looks l
            JOIN \(unescaped: changed) c ON c.app_id = l.app_id AND c.id = l.device_id
            JOIN device_activity a ON a.app_id = l.app_id AND a.device_id = l.device_id
            WHERE l.profile <> a.profile OR c.user_id IS DISTINCT FROM c.user_before
            ORDER BY a.app_id, a.device_id
            FOR UPDATE OF a
        ), kept AS (
            INSERT INTO device_past (app_id, device_id, until, profile, user_id)
            SELECT app_id, device_id, moment, profile_before, user_before FROM moved
        ), changed_profiles AS (
            UPDATE device_activity a SET profile = m.profile, profile_since = m.moment
            FROM moved m WHERE a.app_id = m.app_id AND a.device_id = m.device_id
        )
        """
    }
}
