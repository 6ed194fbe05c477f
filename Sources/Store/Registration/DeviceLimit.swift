import Campaigns
import Postgres

/// The limit on devices of one person, so that nobody can make a person's pushes too many to send by registering devices
/// under their user ID.
///
/// A device beyond the limit loses its user: it gets no more pushes of the person, and goes on as a device without a
/// user. The next registration that names the user takes it back.
enum DeviceLimit {
    /// Registered devices of one user, per app and kind of token.
    static let devicesPerUser: Int32 = 50

    /// Detaches the devices beyond the limit from these people, those first that were not seen for the longest time.
    /// Usually it reads an index entry or two for each person.
    static func enforce(for people: Set<PeopleColumns.Key>) -> PostgresQuery {
        let people = people.sorted { ($0.app, $0.userID) < ($1.app, $1.userID) }
        return UserDetachment.of(
            """
            FROM unnest(\(people.map(\.app)), \(people.map(\.userID))) AS g (app_id, user_id)
            CROSS JOIN LATERAL (
                SELECT FROM devices
                WHERE app_id = g.app_id AND user_id = g.user_id AND retired_at IS NULL
                OFFSET \(devicesPerUser) LIMIT 1
            ) crowded
            CROSS JOIN LATERAL (
                SELECT d.app_id, d.id,
                    row_number() OVER (PARTITION BY d.kind ORDER BY a.last_seen_at DESC NULLS LAST, d.id DESC) AS rank
                FROM devices d LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id
                WHERE d.app_id = g.app_id AND d.user_id = g.user_id AND d.retired_at IS NULL
            ) r
            JOIN devices d ON d.app_id = r.app_id AND d.id = r.id
            WHERE r.rank > \(devicesPerUser)
            """, isStated: false)
    }
}
