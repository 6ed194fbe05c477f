import Campaigns
import Postgres

/// Changes to people, each person once, and the statements that store them. A transaction runs the statements in the
/// order in which they are declared, while it holds the app's registration lock.
///
/// Docs/decisions/registration.md explains why people's values are copied to their devices.
struct PeopleColumns {
    struct Key: Hashable {
        let app: Int64
        let userID: String
    }

    /// `importedAsOf` is the time of the file, if only files change the person.
    typealias Change = (key: Key, changes: ProfileChanges, importedAsOf: Timestamp?)

    private static let people: [PassedColumn<Change>] = [
        PassedColumn("app_id") { $0.key.app },
        PassedColumn("user_id") { $0.key.userID },
        PassedColumn("imported_as_of") { $0.importedAsOf },
    ]

    private let changes: [Change]

    init(_ changes: [Change]) {
        self.changes = changes
    }

    /// Adds the people who are not stored yet.
    var insert: PostgresQuery {
        """
        INSERT INTO people (app_id, user_id, imported_as_of)
        SELECT * FROM \(PassedColumn.table(Self.people, of: changes))
        ON CONFLICT DO NOTHING
        """
    }

    /// Applies the changes; people who stay as they are are not written.
    var update: PostgresQuery {
        """
        WITH changed AS MATERIALIZED (
            SELECT s.app_id, s.user_id, greatest(s.imported_as_of, g.imported_as_of) AS newest_file,
                s.imported_as_of IS NOT NULL AND g.imported_as_of IS NOT NULL AS is_imported, n.*
            FROM \(PassedColumn.table(Self.people + ProfileColumns.passed { $0.changes }, of: changes))
            JOIN people s ON s.app_id = g.app_id AND s.user_id = g.user_id
            CROSS JOIN LATERAL (
                SELECT
                    \(ProfileColumns.attributes(after: "s.attributes")) AS attributes,
                    \(ProfileColumns.tags(after: "s.tags")) AS tags,
                    \(ProfileColumns.optOuts(after: "s.opt_outs")) AS opt_outs
                OFFSET 0
            ) n
            WHERE (s.attributes, s.tags, s.opt_outs) IS DISTINCT FROM (n.attributes, n.tags, n.opt_outs)
            ORDER BY s.app_id, s.user_id
            FOR UPDATE OF s
        )
        UPDATE people s
        SET attributes = c.attributes, tags = c.tags, opt_outs = c.opt_outs, updated_at = now(),
            imported_as_of = CASE WHEN c.is_imported THEN c.newest_file END
        FROM changed c
        WHERE s.app_id = c.app_id AND s.user_id = c.user_id
        """
    }

    /// Brings all devices of these people up to date.
    var updateDevices: PostgresQuery {
        """
        WITH changed AS MATERIALIZED (
            SELECT d.app_id, d.id, \(DevicePast.change(tags: "n.tags")), n.*
            FROM \(PassedColumn.table(Self.people, of: changes))
            JOIN people p ON p.app_id = g.app_id AND p.user_id = g.user_id
            JOIN devices d ON d.app_id = p.app_id AND d.user_id = p.user_id
            CROSS JOIN LATERAL (
                SELECT coalesce(d.own_attributes, d.attributes) AS attributes, coalesce(d.own_tags, d.tags) AS tags,
                    coalesce(d.own_opt_outs, d.opt_outs) AS opt_outs
                OFFSET 0
            ) o
            CROSS JOIN LATERAL (SELECT \(ProfileColumns.ofDevices.values) OFFSET 0) n
            WHERE \(ProfileColumns.ofDevices.row(of: "d")) IS DISTINCT FROM \(ProfileColumns.ofDevices.row(of: "n"))
            ORDER BY d.app_id, d.id
            FOR UPDATE OF d
        ), \(DevicePast.keep(of: "changed"))
        UPDATE devices d
        SET \(ProfileColumns.ofDevices.assigned(from: "c")), updated_at = now()
        FROM changed c
        WHERE d.app_id = c.app_id AND d.id = c.id
        """
    }

    /// All statements, in order.
    var writes: [PostgresQuery] { [insert, update, updateDevices] }
}
