import Postgres

/// Rows of the table `locks`, which a transaction holds until it ends.
///
/// Advisory locks would cost no write (a row lock writes 60 bytes to the WAL and no new row), but every role that can
/// connect may take them, and wait for nobody.
///
/// Docs/decisions/database.md explains why locks are rows.
enum RowLock: String, CaseIterable {
    case audit
    case conversions
    case deletedEventNames = "deleted event names"
    case effectCounts = "effect counts"
    case eventRanges = "event ranges"
    case eventRetention = "event retention"
    case mergedCounts = "merged counts"
    case reader
    case recipientRetention = "recipient retention"
    case replyRetention = "reply retention"
    case responseHours = "response hours"
    case testCounts = "test counts"

    /// Locks that each app has.
    enum OfApp: String, CaseIterable {
        case eventNames = "event names"
        case frequencyCap = "frequency cap"
        case profiles
        case registrations
        case repeatedEvents = "repeated events"
    }

    /// Waits for the lock. A statement of its own: the next one sees what was committed meanwhile.
    var wait: PostgresQuery {
        "SELECT app_id::text FROM locks WHERE app_id = 0 AND name = \(rawValue) FOR UPDATE"
    }

    /// Has no row if another transaction has the lock.
    var attempt: PostgresQuery {
        "SELECT app_id::text FROM locks WHERE app_id = 0 AND name = \(rawValue) FOR UPDATE SKIP LOCKED"
    }
}

extension RowLock.OfApp {
    /// Waits for the locks, in the order of the apps.
    func wait(for apps: [Int64]) -> PostgresQuery {
        """
        SELECT app_id::text FROM locks WHERE app_id = ANY (\(apps)) AND name = \(rawValue) ORDER BY app_id FOR UPDATE
        """
    }

    /// Has no row if another transaction has the lock.
    func attempt(of app: Int64) -> PostgresQuery {
        "SELECT app_id::text FROM locks WHERE app_id = \(app) AND name = \(rawValue) FOR UPDATE SKIP LOCKED"
    }
}
