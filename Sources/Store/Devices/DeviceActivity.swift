import Campaigns
import Postgres

/// When devices were seen: at most one write per device and day of UTC.
///
/// An unchanged registration writes nothing else, so `token_registered_at` alone does not show that a token was
/// registered again. A 410 counts only if Apple's timestamp is later than both `token_registered_at` and
/// `last_seen_at`. One case remains: a device is seen, its token becomes invalid at Apple, and it registers the same
/// token again, all on one day. A late 410 then retires it until its app starts the next time, which revives it.
enum DeviceActivity {
    /// A device that was seen.
    struct Sighting {
        let app: Int64
        let device: Int64
        /// When its app sent what it stated; nil: it did not say, or that is stored already.
        let sentAt: Timestamp?
        /// When it sent what it stated about opt-outs; nil likewise.
        let optOutsSentAt: Timestamp?

        init(_ entry: RegistrationGroup.Entry, device: Int64) {
            app = entry.key.app
            self.device = device
            sentAt = entry.newSentAt
            optOutsSentAt = entry.newOptOutsSentAt
        }

        /// Whether its times are to be stored.
        var isNewer: Bool { sentAt != nil || optOutsSentAt != nil }
    }

    /// Records that registered devices were seen now. A day that is stored already is not written again.
    static func markSeen(_ devices: [Sighting]) -> PostgresQuery {
        let devices = devices.sorted { ($0.app, $0.device) < ($1.app, $1.device) }
        return """
            INSERT INTO device_activity AS a (app_id, device_id, last_seen_at, sent_at, opt_outs_sent_at)
            SELECT app_id, device_id, now(), sent_at, opt_outs_sent_at
            FROM unnest(
                \(devices.map(\.app)), \(devices.map(\.device)), \(devices.map(\.sentAt)),
                \(devices.map(\.optOutsSentAt))
            ) AS g (app_id, device_id, sent_at, opt_outs_sent_at)
            ON CONFLICT (app_id, device_id) DO UPDATE
            SET last_seen_at = CASE
                    WHEN a.last_seen_at < date_trunc('day', now(), 'UTC') THEN excluded.last_seen_at ELSE a.last_seen_at
                END,
                sent_at = coalesce(excluded.sent_at, a.sent_at),
                opt_outs_sent_at = coalesce(excluded.opt_outs_sent_at, a.opt_outs_sent_at)
            WHERE a.last_seen_at < date_trunc('day', now(), 'UTC') OR excluded.sent_at IS NOT NULL
                OR excluded.opt_outs_sent_at IS NOT NULL
            """
    }

    /// Records when the registrations of devices that were inserted in this transaction were sent.
    static func recordSending(of devices: [RegistrationGroup.Entry]) -> PostgresQuery {
        """
        UPDATE device_activity a SET sent_at = g.sent_at, opt_outs_sent_at = g.opt_outs_sent_at
        FROM unnest(
            \(devices.map(\.key.app)), \(devices.map(\.key.address.installation)),
            \(devices.map(\.key.address.kind.rawValue)), \(devices.map(\.key.address.activity)),
            \(devices.map(\.sentAt)), \(devices.map(\.optOutsSentAt))
        ) AS g (app_id, installation, kind, activity, sent_at, opt_outs_sent_at)
        JOIN devices d ON d.app_id = g.app_id AND d.installation = g.installation AND d.kind = g.kind
            AND d.activity = g.activity
        WHERE a.app_id = d.app_id AND a.device_id = d.id
        """
    }

    /// Records when the newest statement about these devices was sent.
    static func recordSending(of devices: [Int64], app: App.ID, at sentAt: Instant) -> PostgresQuery {
        """
        UPDATE device_activity SET sent_at = \(Timestamp(sentAt))
        WHERE app_id = \(app) AND device_id = ANY (\(devices))
        """
    }
}
