import Campaigns
import Notifications
import Postgres

/// Installations that register a token which only a file knew: the device of the file becomes theirs, with its opt-outs,
/// tags and attributes, so that no consent is lost when an app changes to Belfry.
extension RegistrationGroup {
    struct TakeOver {
        let owner: TokenOwner
        let entry: Int
    }

    /// To be called after `resolveTokens`.
    func takeOvers(_ owners: [TokenOwner]) -> [TakeOver] {
        owners.compactMap { owner in
            guard owner.isImported, let last = tokens[owner.key], entries[last.entry].token == owner.key.token,
                entries[last.entry].device != owner.device, entries[last.entry].hasTokenOfApp
            else { return nil }
            return TakeOver(owner: owner, entry: last.entry)
        }
    }

    /// Carries out the take-overs, and returns the statements for them. A new installation gets the row of the file, and
    /// one that has a row gets its values; the row of the file is deleted then. An installation that has the name of the
    /// file's has its row already.
    mutating func takeOver(_ takeOvers: [TakeOver]) -> (statements: [PostgresQuery], merged: Set<Int64>) {
        for index in entries.indices where entries[index].found?.isImported == true && entries[index].isRegisteredByApp
        {
            entries[index].changes = entries[index].changes.takingOver()
        }
        guard !takeOvers.isEmpty else { return ([], []) }
        let merged = takeOvers.compactMap { takeOver in
            entries[takeOver.entry].device.map { (app: takeOver.owner.key.app, file: takeOver.owner.device, own: $0) }
        }
        let new = takeOvers.filter { entries[$0.entry].device == nil }
        for takeOver in takeOvers where entries[takeOver.entry].device != nil {
            entries[takeOver.entry].changes = entries[takeOver.entry].changes.takingOver()
        }
        for takeOver in new { entries[takeOver.entry].takeOver(takeOver.owner) }
        var statements: [PostgresQuery] = []
        if !merged.isEmpty { statements.append(Self.merge(merged)) }
        if !new.isEmpty {
            let addresses = new.map { entries[$0.entry].key.address }
            statements.append(
                """
                UPDATE devices d SET installation = g.installation, kind = g.kind, activity = g.activity
                FROM unnest(
                    \(new.map(\.owner.key.app)), \(new.map(\.owner.device)), \(addresses.map(\.installation)),
                    \(addresses.map(\.kind.rawValue)), \(addresses.map(\.activity))
                ) AS g (app_id, id, installation, kind, activity)
                WHERE d.app_id = g.app_id AND d.id = g.id
                """)
        }
        return (statements, Set(merged.map(\.file)))
    }

    /// Deletes the rows of files and puts their values beneath those that the installations have. The registrations, which
    /// are written next, apply the values of people again.
    private static func merge(_ pairs: [(app: Int64, file: Int64, own: Int64)]) -> PostgresQuery {
        """
        WITH file AS (
            DELETE FROM devices d
            USING unnest(\(pairs.map(\.app)), \(pairs.map(\.file)), \(pairs.map(\.own))) AS g (app_id, id, own)
            WHERE d.app_id = g.app_id AND d.id = g.id
            RETURNING d.app_id, g.own, coalesce(d.own_attributes, d.attributes) AS attributes,
                coalesce(d.own_tags, d.tags) AS tags, coalesce(d.own_opt_outs, d.opt_outs) AS opt_outs
        ), merged AS MATERIALIZED (
            SELECT d.app_id, d.id, \(DevicePast.change(tags: "n.tags")), n.*
            FROM file f
            JOIN devices d ON d.app_id = f.app_id AND d.id = f.own
            CROSS JOIN LATERAL (SELECT \(mergedColumns.values) OFFSET 0) n
            ORDER BY d.app_id, d.id
            FOR UPDATE OF d
        ), \(DevicePast.keep(of: "merged"))
        UPDATE devices d SET \(mergedColumns.assigned(from: "m"))
        FROM merged m
        WHERE d.app_id = m.app_id AND d.id = m.id
        """
    }

    private static let mergedColumns = WrittenColumns([
        ("attributes", "CASE WHEN d.own_attributes IS NULL THEN f.attributes || d.attributes ELSE d.attributes END"),
        ("own_attributes", "f.attributes || d.own_attributes"),
        (
            "inherited_attributes",
            "nullif(f.attributes - ARRAY(SELECT jsonb_object_keys(coalesce(d.own_attributes, d.attributes))), '{}')"
        ),
        ("tags", "CASE WHEN d.own_tags IS NULL THEN texts_union(d.tags, f.tags) ELSE d.tags END"),
        ("own_tags", "CASE WHEN d.own_tags IS NOT NULL THEN texts_union(d.own_tags, f.tags) END"),
        ("opt_outs", "CASE WHEN d.own_opt_outs IS NULL THEN texts_union(d.opt_outs, f.opt_outs) ELSE d.opt_outs END"),
        ("own_opt_outs", "CASE WHEN d.own_opt_outs IS NOT NULL THEN texts_union(d.own_opt_outs, f.opt_outs) END"),
    ])
}
