import Campaigns
import Postgres

/// Erases the custom events of a person: those of their user ID, and those that their devices sent without a user. The
/// counts of statistics stay.
enum CustomEventErasure {
    /// The numbers of the person as a user, and of the installations of their devices.
    static func people(
        _ userID: String, withDevices devices: [Int64], app: App.ID, in pool: PostgresPool
    ) async throws -> [Int64] {
        try await pool.query(
            """
            SELECT person_number(\(userID), NULL)
            UNION
            SELECT person_number(NULL, installation) FROM devices WHERE app_id = \(app) AND id = ANY (\(devices))
            """
        ).map { try $0[0] }
    }

    /// The names make the search one of the key: there are at most `CustomEvent.maximumNames`.
    static func erase(_ people: [Int64], app: App.ID, in pool: PostgresPool) async throws {
        try await pool.execute("DELETE FROM conversion_queue WHERE app_id = \(app) AND person = ANY (\(people))")
        try await pool.execute(
            """
            DELETE FROM custom_events
            WHERE app_id = \(app) AND person = ANY (\(people))
                AND name_id = ANY (ARRAY(SELECT id FROM custom_event_names WHERE app_id = \(app)))
            """)
    }
}
