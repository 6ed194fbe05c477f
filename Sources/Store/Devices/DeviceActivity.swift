import Campaigns
import Postgres

/// When devices were seen: at most one write per device and day of UTC, and one for each request that says when it was
/// sent.
///
/// An unchanged registration writes nothing else, so `token_registered_at` alone does not show that a token was
/// registered again. A 410 counts only if Apple's timestamp is later than both `token_registered_at` and
/// `last_seen_at`. One case remains: a device is seen, its token becomes invalid at Apple, and it registers the same
/// token again without saying when, all on one day. A late 410 then retires it until its app starts the next time, which
/// revives it.
enum DeviceActivity {
    /// When an app sent what it stated about a device.
    struct Times {
        /// Nil: it did not say, or that is stored already.
        let sentAt: Timestamp?
        /// When it sent what it stated about the user and the token; nil likewise.
        let userSentAt: Timestamp?
        /// The order of what it stated about opt-outs; nil likewise.
        let optOuts: OptOutOrder?

        /// It stated nothing.
        static let none = Times(sentAt: nil, userSentAt: nil, optOuts: nil)

        var isEmpty: Bool { sentAt == nil && userSentAt == nil && optOuts == nil }

        /// An element of `consented` that is null says all topics.
        static func passed<Row>(_ times: @escaping @Sendable (Row) -> Times) -> [PassedColumn<Row>] {
            [
                PassedColumn("sent_at") { times($0).sentAt },
                PassedColumn("user_sent_at") { times($0).userSentAt },
                PassedColumn("opt_outs_sent_at") { times($0).optOuts?.newest.map { Timestamp($0) } },
                PassedColumn("consented") { times($0).optOuts?.consented.map { ProfileColumns.text($0) } },
            ]
        }
    }

    /// A device that was seen.
    struct Sighting {
        let app: Int64
        let device: Int64
        let times: Times

        /// By default a device that acknowledged something: it stated nothing about itself.
        init(app: Int64, device: Int64, times: Times = .none) {
            self.app = app
            self.device = device
            self.times = times
        }

        fileprivate static let passed: [PassedColumn<Sighting>] =
            [PassedColumn("app_id") { $0.app }, PassedColumn("device_id") { $0.device }]
            + Times.passed { $0.times }
    }

    /// Of a row `g` with the columns of `Times`.
    static let consented: PostgresQuery =
        "CASE WHEN g.opt_outs_sent_at IS NULL THEN '{}' ELSE \(ProfileColumns.elements("g.consented")) END"

    /// Records that devices were seen now. A day that is stored already is not written again. Those that never registered
    /// have no row.
    static func markSeen(_ devices: [Sighting]) -> PostgresQuery {
        let devices = devices.sorted { ($0.app, $0.device) < ($1.app, $1.device) }
        return """
            WITH seen AS MATERIALIZED (
                SELECT g.*, \(isUnseen) AS is_first
                FROM \(PassedColumn.table(Sighting.passed, of: devices))
                JOIN device_activity a ON a.app_id = g.app_id AND a.device_id = g.device_id
                WHERE \(isUnseen) OR num_nonnulls(g.sent_at, g.user_sent_at, g.opt_outs_sent_at) > 0
                ORDER BY a.app_id, a.device_id
                FOR UPDATE OF a
            ), counted AS (\(DeviceDays.count(.active, in: "seen", where: "is_first")))
            UPDATE device_activity a
            SET last_seen_at = now(),
                sent_at = coalesce(g.sent_at, a.sent_at),
                user_sent_at = coalesce(g.user_sent_at, a.user_sent_at),
                opt_outs_sent_at = coalesce(g.opt_outs_sent_at, a.opt_outs_sent_at),
                consented = CASE WHEN g.opt_outs_sent_at IS NULL THEN a.consented ELSE \(consented) END
            FROM seen g WHERE a.app_id = g.app_id AND a.device_id = g.device_id
            """
    }

    private static let isUnseen: PostgresQuery = "a.last_seen_at < date_trunc('day', now(), 'UTC')"

    /// Records when the newest statement about the users or the removal of these devices was sent.
    static func recordSending(of devices: [Int64], app: App.ID, at sentAt: Instant) -> PostgresQuery {
        """
        UPDATE device_activity SET sent_at = greatest(sent_at, \(Timestamp(sentAt))), user_sent_at = \(Timestamp(sentAt))
        WHERE app_id = \(app) AND device_id = ANY (\(devices))
        """
    }
}
