import Postgres

/// The counts of devices by day (UTC). A statement that adds, retires or revives devices, or sees them for the first time
/// on a day, counts them itself.
enum DeviceDays {
    /// The raw value is stored in the database.
    enum Measure: Int16 {
        case new = 1
        case retired = 2
        case registeredAgain = 3
        /// Seen on that day.
        case active = 4

        var sql: PostgresQuery { "\(unescaped: String(rawValue))::smallint" }
    }

    /// Counts each of these rows, which have the columns `app_id` and `measure`, in that order. For a statement's end:
    /// what other transactions count for the same app and shard waits until this one ends.
    static func count(_ rows: PostgresQuery) -> PostgresQuery {
        """
        INSERT INTO device_days AS t (app_id, day, measure, shard, count)
        SELECT f.app_id, (now() AT TIME ZONE 'UTC')::date, f.measure, pg_backend_pid() % 8, count(*)
        FROM (\(rows)) AS f (app_id, measure)
        GROUP BY f.app_id, f.measure ORDER BY f.app_id, f.measure
        ON CONFLICT (app_id, day, measure, shard) DO UPDATE SET count = t.count + excluded.count
        """
    }

    /// Counts each row of a CTE.
    static func count(_ measure: Measure, in rows: String, where condition: PostgresQuery = "true") -> PostgresQuery {
        count("SELECT app_id, \(measure.sql) FROM \(unescaped: rows) WHERE \(condition)")
    }
}
