import Campaigns
import Notifications
import Postgres

/// The lookups that precede the write of a group of registrations, in one round trip: the locks of the apps, the devices,
/// the owners of the tokens, and names of attributes.
///
/// Each statement is planned again for every execution. A cached plan that was made while the table was empty would
/// be used for ever, and reads an app's whole index for each row (measured: 450 registrations a second instead of
/// thousands). The planner knows the table's present size without an ANALYZE.
struct RegistrationLookUps {
    let statements: [PostgresQuery]
    /// The apps whose names of attributes are read, too.
    let unread: [Int64]

    struct Results {
        /// In the order of the entries.
        let devices: [FoundDevice]
        /// The present owners of the tokens.
        let owners: [RegistrationGroup.TokenOwner]
        /// What `KnownAttributes.names` reads; nil: it was not asked for.
        let names: PostgresRows?
    }

    /// Of the 30 tags of an app that statistics count, those for tags that come with a publishable key: whoever reads the
    /// key out of the app could fill all of them. The others are left to servers and people.
    private static let countedTagsOfApps = "15"

    init(_ group: RegistrationGroup, fromApps: Bool, unread: [Int64] = []) {
        self.unread = unread
        statements =
            [
                """
                WITH locked AS MATERIALIZED (\(RowLock.OfApp.registrations.wait(for: group.apps)))
                SELECT set_config('plan_cache_mode', 'force_custom_plan', true), count(*),
                    set_config('belfry.counted_tags', \(fromApps ? Self.countedTagsOfApps : ""), true)
                FROM locked
                """,
                Self.present(group.entries, isAboutPastUsers: group.hasDatedLogins),
                Self.owners(of: group.namedTokens),
            ] + (unread.isEmpty ? [] : [KnownAttributes.names(of: unread)])
    }

    /// `answers` are those of the statements, in their order.
    func read(_ answers: [PostgresRows]) throws -> Results {
        Results(
            devices: try Self.present(in: answers[1]), owners: try Self.owners(in: answers[2]),
            names: answers.count > 3 ? answers[3] : nil)
    }

    /// Looks up all devices, in the order of the entries. With `isAboutPastUsers`, also the newest statement about the user
    /// of an installation that gets another device.
    private static func present(_ entries: [RegistrationGroup.Entry], isAboutPastUsers: Bool) -> PostgresQuery {
        let ofInstallation: PostgresQuery =
            isAboutPastUsers
            ? """
            LEFT JOIN LATERAL (
                SELECT b.user_sent_at, o.user_id FROM devices o
                CROSS JOIN LATERAL (
                    SELECT user_sent_at FROM device_activity WHERE app_id = o.app_id AND device_id = o.id OFFSET 0
                ) b
                WHERE d.id IS NULL AND o.app_id = g.app_id AND o.installation = g.installation
                    AND b.user_sent_at IS NOT NULL
                ORDER BY b.user_sent_at DESC LIMIT 1
            ) s ON true
            """ : "CROSS JOIN (SELECT NULL::timestamptz AS user_sent_at, NULL::text AS user_id) s"
        return """
            SELECT d.id, coalesce(a.last_seen_at >= date_trunc('day', now(), 'UTC'), false), d.user_id,
                d.retired_at IS NULL, d.version, d.environment, a.sent_at, a.user_sent_at,
                a.opt_outs_sent_at, a.consented, d.is_imported, s.user_sent_at, s.user_id
            FROM unnest(
                \(entries.map(\.key.app)), \(entries.map(\.key.address.installation)),
                \(entries.map(\.key.address.kind.rawValue)), \(entries.map(\.key.address.activity))
            ) WITH ORDINALITY AS g (app_id, installation, kind, activity, position)
            LEFT JOIN LATERAL (
                SELECT app_id, id, user_id, retired_at, environment, \(DeviceRecord.version) AS version,
                    imported_as_of IS NOT NULL AS is_imported
                FROM devices d
                WHERE app_id = g.app_id AND installation = g.installation AND kind = g.kind AND activity = g.activity
                OFFSET 0
            ) d ON true
            LEFT JOIN LATERAL (
                SELECT last_seen_at, sent_at, user_sent_at, opt_outs_sent_at, consented FROM device_activity
                WHERE app_id = d.app_id AND device_id = d.id OFFSET 0
            ) a ON true
            \(ofInstallation)
            ORDER BY g.position
            """
    }

    private static func present(in rows: PostgresRows) throws(PostgresError) -> [FoundDevice] {
        var found: [FoundDevice] = []
        found.reserveCapacity(rows.count)
        for row in rows {
            guard let device: Int64 = try row[0] else {
                var new = FoundDevice(device: nil, wasSeenToday: false)
                if let time: Timestamp = try row[11] { new.ofInstallation = (time, try row[12]) }
                found.append(new)
                continue
            }
            found.append(
                FoundDevice(
                    device: device, wasSeenToday: try row[1], userID: try row[2], isLive: try row[3],
                    version: try row[4], environment: PushEnvironment(rawValue: try row[5]), isImported: try row[10],
                    sentAt: try row[6],
                    userSentAt: try row[7],
                    optOuts: OptOutOrder(
                        newest: try row[8, as: Timestamp?.self].map { $0.instant }, consented: try row[9])))
        }
        return found
    }

    /// The present owners of the tokens.
    private static func owners(of tokens: [RegistrationGroup.TokenKey]) -> PostgresQuery {
        """
        SELECT g.app_id, g.token, d.id, d.installation, d.kind, d.activity, d.retired_at IS NULL,
            d.imported_as_of IS NOT NULL
        FROM unnest(\(tokens.map(\.app)), \(tokens.map(\.token.bytes))) AS g (app_id, token)
        CROSS JOIN LATERAL (
            SELECT id, installation, kind, activity, retired_at, imported_as_of FROM devices
            WHERE app_id = g.app_id AND token = g.token OFFSET 0
        ) d
        """
    }

    private static func owners(in rows: PostgresRows) throws -> [RegistrationGroup.TokenOwner] {
        try rows.map { row in
            RegistrationGroup.TokenOwner(
                key: RegistrationGroup.TokenKey(app: try row[0], token: try DeviceToken(bytes: try row[1])),
                device: try row[2],
                address: DeviceAddress(try row[3], kind: try row[4], activity: try row[5]), isLive: try row[6],
                isImported: try row[7])
        }
    }
}

/// What is stored about the device of an entry.
struct FoundDevice {
    let device: Int64?
    let wasSeenToday: Bool
    var userID: String?
    var isLive = false
    var version = 0
    var environment: PushEnvironment?
    /// Only files have named it.
    var isImported = false
    /// When the newest statement about it was sent; nil: unknown.
    var sentAt: Timestamp?
    /// The same for the newest statement about its user and token.
    var userSentAt: Timestamp?
    /// The same for those about its opt-outs.
    var optOuts = OptOutOrder()
    /// If the device is new, the newest statement about the user of another device of its installation.
    var ofInstallation: (userSentAt: Timestamp, userID: String?)?
}
