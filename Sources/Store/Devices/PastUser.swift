import Campaigns
import Postgres

/// The user whose device it was at a time: a device can change hands, and its past must not move to the new person.
/// Like the function `user_at`, for statements with many rows.
enum PastUser {
    /// A join of the device's past after `moment`, for statements with a device `d`.
    static func join(_ app: App.ID, device: PostgresQuery, at moment: PostgresQuery) -> PostgresQuery {
        """
        LEFT JOIN LATERAL (
            SELECT true AS is_past, user_id FROM device_past
            WHERE app_id = \(app) AND device_id = \(device) AND until > \(moment) ORDER BY until LIMIT 1
        ) AS past ON true
        """
    }

    /// The user id, for statements with `join`.
    static let userID: PostgresQuery = "CASE WHEN past.is_past THEN past.user_id ELSE d.user_id END AS user_id"

    /// The ids of devices that belonged to the user at some time.
    static func devices(of user: String, _ app: App.ID) -> PostgresQuery {
        """
        SELECT id FROM devices WHERE app_id = \(app) AND user_id = \(user)
        UNION SELECT device_id FROM device_past WHERE app_id = \(app) AND user_id = \(user)
        """
    }
}
