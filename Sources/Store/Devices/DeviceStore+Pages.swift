public import Campaigns
import JSON
public import Notifications
public import Postgres

/// Conditions of a device list; nil members match every device.
public struct DeviceFilter: Equatable, Sendable {
    public var userID: String?
    public var tag: String?
    public var kind: DeviceKind?
    public var isTest: Bool?
    public var isRegistered: Bool?
    /// Part of the installation, the user id, the nickname or a name of the person, in either case. User ids are stored as
    /// they came, the others in form C. A person's names are the attributes with "name" in theirs, like first_name.
    public var search: String?
    /// Whether a part of an installation is enough. Otherwise somebody who may not see it would find it out, letter by
    /// letter.
    public var findsPartsOfInstallations = true
    /// Created at or after `since`, and before `until`.
    public var since: Timestamp?
    public var until: Timestamp?
    /// The devices that a campaign to this audience would go to: registered, with alert tokens.
    public var audience: ResolvedAudience?
    /// Whether retired devices are excluded.
    public var isLive = false

    public init() {}

    /// Whether a page is found without scanning many other devices: a person has few devices, an app few test devices,
    /// and most devices are not retired.
    fileprivate var usesIndex: Bool {
        userID != nil || isTest == true
            || tag == nil && kind == nil && isTest == nil && isRegistered != false && search == nil && since == nil
                && until == nil && audience == nil
    }

    fileprivate func condition(app: App.ID) -> PostgresQuery {
        var condition: PostgresQuery = "true"
        if let userID { condition += " AND d.user_id = \(userID)" }
        if let tag { condition += " AND d.tags @> ARRAY[\(tag)]" }
        if let kind { condition += " AND d.kind = \(kind)" }
        if let isTest { condition += isTest ? " AND d.is_test" : " AND NOT d.is_test" }
        if let isRegistered { condition += " AND (d.retired_at IS NULL) = \(isRegistered)" }
        if let search {
            condition += """
                 AND (d.installation = \(search) OR position(lower(\(search)) IN lower(concat_ws(
                    ' ', CASE WHEN \(findsPartsOfInstallations) THEN d.installation END, d.user_id))) > 0
                    OR position(lower(\(search.composed)) IN lower(d.nickname)) > 0
                    OR d.attributes <> '{}' AND (
                        position(lower(\(search.composed)) IN lower(
                            concat_ws(' ', d.attributes ->> 'first_name', d.attributes ->> 'last_name'))) > 0
                        OR EXISTS (
                            SELECT FROM jsonb_each_text(d.attributes) AS a (name, value)
                            WHERE position('name' IN lower(a.name)) > 0
                                AND position(lower(\(search.composed)) IN lower(a.value)) > 0)))
                """
        }
        if let audience {
            condition += " AND d.kind = \(DeviceKind.alert) AND d.retired_at IS NULL"
            if let members = audience.audience.condition {
                condition += " AND \(AudienceCompiler(app: app, events: .perDevice).boolean(members))"
            }
        }
        if let since { condition += " AND d.created_at >= \(since)" }
        if let until { condition += " AND d.created_at < \(until)" }
        if isLive { condition += " AND d.retired_at IS NULL" }
        return condition
    }
}

/// A page of a device list.
public struct DevicePage: Sendable {
    public struct Entry: Sendable {
        public let device: DeviceRecord
        /// Only if it was requested.
        public let token: DeviceToken?
    }

    public let entries: [Entry]
    /// The start of the next page; nil at the end. A page can be short or empty without being the last: without an
    /// index, a page scans a bounded number of devices.
    public let next: Device.ID?
}

extension DeviceStore {
    /// Devices scanned for one page at most.
    static let scanLimit = 50_000

    /// In the order of their ids, from the first one after `after`.
    public func devices(
        app: App.ID, _ filter: DeviceFilter = DeviceFilter(), after: Device.ID?, limit: Int, withTokens: Bool = false
    ) async throws -> DevicePage {
        let after = after?.rawValue ?? 0
        let end = filter.usesIndex ? nil : try await end(ofScanAfter: after, app: app)
        var query: PostgresQuery = """
            SELECT \(DeviceRecord.columns), \(unescaped: withTokens ? "d.token" : "NULL::bytea AS token")
            \(DeviceRecord.from)
            WHERE d.app_id = \(app) AND d.id > \(after) AND \(filter.condition(app: app))
            """
        if let end { query += " AND d.id <= \(end)" }
        query += " ORDER BY d.id LIMIT \(limit)"
        let entries = try await pool.query(query).map { row in
            let token: [UInt8]? = try row["token"]
            return DevicePage.Entry(
                device: try DeviceRecord(row), token: try token.map { bytes in try DeviceToken(bytes: bytes) })
        }
        let isFull = entries.count == limit
        return DevicePage(entries: entries, next: isFull ? entries.last?.device.id : end.map(Device.ID.init(rawValue:)))
    }

    /// The last device that a page scans; nil when it scans all that are left.
    private func end(ofScanAfter after: Int64, app: App.ID) async throws -> Int64? {
        let rows = try await pool.query(
            """
            SELECT max(id), count(*) FROM (
                SELECT id FROM devices WHERE app_id = \(app) AND id > \(after) ORDER BY id LIMIT \(Self.scanLimit)
            ) AS scanned
            """)
        guard let row = rows.first, try row[1, as: Int.self] == Self.scanLimit else { return nil }
        return try row[0]
    }
}
