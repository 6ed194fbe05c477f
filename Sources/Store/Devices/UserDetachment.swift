import Postgres

/// Takes devices from their users, with all that is of the person.
enum UserDetachment {
    /// `devices` chooses the devices `d`, from FROM on. The statement returns their ids. With `isStated`, an app or a
    /// server asked for it.
    static func of(_ devices: PostgresQuery, isStated: Bool) -> PostgresQuery {
        """
        WITH detached AS MATERIALIZED (
            SELECT d.app_id, d.id, coalesce(d.own_tags, d.tags) AS tags,
                \(DevicePast.change(tags: "coalesce(d.own_tags, d.tags)", user: "NULL::text"))
            \(devices)
            ORDER BY d.app_id, d.id
            FOR UPDATE OF d
        ), \(DevicePast.keep(of: "detached"))
        UPDATE devices d
        SET user_id = NULL,
            attributes = coalesce(d.own_attributes, d.attributes), own_attributes = NULL,
            tags = coalesce(d.own_tags, d.tags), own_tags = NULL,
            opt_outs = coalesce(d.own_opt_outs, d.opt_outs), own_opt_outs = NULL,
            stated_at = CASE WHEN \(isStated) THEN now() ELSE d.stated_at END, updated_at = now()
        FROM detached x
        WHERE d.app_id = x.app_id AND d.id = x.id
        RETURNING d.id
        """
    }
}
