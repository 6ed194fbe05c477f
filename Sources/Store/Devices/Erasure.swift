import Campaigns
import Notifications
import Postgres

/// What is kept of an erased person, so that a file from before the erasure does not bring them back: digests of their user
/// ID, their installations and their tokens, which nobody can read a name out of.
enum Erasure {
    private static func digest(_ kind: String, _ bytes: PostgresQuery) -> PostgresQuery {
        "sha256(convert_to(\(kind + ":"), 'UTF8') || \(bytes))"
    }

    private static func digest(_ kind: String, text: PostgresQuery) -> PostgresQuery {
        digest(kind, "convert_to(\(text), 'UTF8')")
    }

    /// Deletes the devices, whose ids are a query, and returns the ids of the deleted ones.
    static func erase(_ userID: String, withDevices devices: PostgresQuery, app: App.ID) -> PostgresQuery {
        """
        WITH gone AS (
            DELETE FROM devices d USING (\(devices) ORDER BY d.id FOR UPDATE OF d) AS o
            WHERE d.app_id = \(app) AND d.id = o.id
            RETURNING d.id, d.installation, d.token
        ), noted AS (
            INSERT INTO erasures (app_id, digest)
            SELECT \(app), \(digest("user", text: "\(userID)"))
            UNION SELECT \(app), \(digest("installation", text: "installation")) FROM gone
            UNION SELECT \(app), \(digest("token", "token")) FROM gone WHERE token IS NOT NULL
            ON CONFLICT (app_id, digest) DO UPDATE SET erased_at = now()
        )
        SELECT id FROM gone
        """
    }

    /// The token of a device that is removed: a file from before does not make a device of it again.
    static func noteToken(ofDevice device: Int64, app: App.ID) -> PostgresQuery {
        """
        INSERT INTO erasures (app_id, digest)
        SELECT app_id, \(digest("token", "token")) FROM devices
        WHERE app_id = \(app) AND id = \(device) AND token IS NOT NULL
        ON CONFLICT (app_id, digest) DO UPDATE SET erased_at = now()
        """
    }

    /// When a user, an installation or a token of these registrations was erased, by their positions from 1.
    static func times(of registrations: [Registration]) -> PostgresQuery {
        """
        SELECT g.position, date_trunc('milliseconds', max(e.erased_at))
        FROM unnest(
            \(registrations.map(\.app.rawValue)), \(registrations.map { $0.changes.userID.value }),
            \(registrations.map(\.address.installation)), \(registrations.map { $0.changes.token?.bytes })
        ) WITH ORDINALITY AS g (app_id, user_id, installation, token, position)
        CROSS JOIN LATERAL (
            VALUES (\(digest("user", text: "g.user_id"))), (\(digest("installation", text: "g.installation"))),
                (\(digest("token", "g.token")))
        ) AS n (digest)
        JOIN erasures e ON e.app_id = g.app_id AND e.digest = n.digest
        GROUP BY g.position
        """
    }
}
