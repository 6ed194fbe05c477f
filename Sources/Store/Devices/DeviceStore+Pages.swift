public import Campaigns
public import Notifications
import Postgres

/// Which devices a list is about; what is nil says nothing.
public struct DeviceFilter: Equatable, Sendable {
    public var userID: String?
    public var tag: String?
    public var kind: DeviceKind?
    public var isTest: Bool?
    /// Leaves out retired ones.
    public var isLive = false

    public init() {}

    /// Whether a page is found without looking at many others: a person has few devices, an app few test devices, and
    /// most are live.
    fileprivate var isServed: Bool {
        userID != nil || isTest == true || tag == nil && kind == nil && isTest == nil
    }

    fileprivate var condition: PostgresQuery {
        var condition: PostgresQuery = "true"
        if let userID { condition += " AND d.user_id = \(userID)" }
        if let tag { condition += " AND d.tags @> ARRAY[\(tag)]" }
        if let kind { condition += " AND d.kind = \(kind)" }
        if let isTest { condition += isTest ? " AND d.is_test" : " AND NOT d.is_test" }
        if isLive { condition += " AND d.retired_at IS NULL" }
        return condition
    }
}

/// A part of a list of devices.
public struct DevicePage: Sendable {
    public struct Entry: Sendable {
        public let device: DeviceRecord
        /// Only if it was asked for.
        public let token: DeviceToken?
    }

    public let entries: [Entry]
    /// Where to go on; nil at the end. A page may be short, or even empty, and still not the last: what no index leads
    /// to is looked for in a bounded number of devices at a time.
    public let next: Device.ID?
}

extension DeviceStore {
    /// Devices that are looked at for a page.
    static let looksPerPage = 50_000

    /// In the order of their ids, from the first one after `after`.
    public func devices(
        app: App.ID, _ filter: DeviceFilter = DeviceFilter(), after: Device.ID?, limit: Int, withTokens: Bool = false
    ) async throws -> DevicePage {
        let after = after?.rawValue ?? 0
        let end = filter.isServed ? nil : try await end(ofLookAfter: after, app: app)
        var query: PostgresQuery = """
            SELECT \(DeviceRecord.columns), \(unescaped: withTokens ? "d.token" : "NULL::bytea")
            FROM devices d
            LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id
            WHERE d.app_id = \(app) AND d.id > \(after) AND \(filter.condition)
            """
        if let end { query += " AND d.id <= \(end)" }
        query += " ORDER BY d.id LIMIT \(limit)"
        let entries = try await pool.query(query).map { row in
            let token: [UInt8]? = try row[DeviceRecord.columnCount]
            return DevicePage.Entry(
                device: try DeviceRecord(row), token: try token.map { bytes in try DeviceToken(bytes: bytes) })
        }
        let isFull = entries.count == limit
        return DevicePage(entries: entries, next: isFull ? entries.last?.device.id : end.map(Device.ID.init(rawValue:)))
    }

    /// The last of the devices that a page looks at; nil when it looks at all that are left.
    private func end(ofLookAfter after: Int64, app: App.ID) async throws -> Int64? {
        let rows = try await pool.query(
            """
            SELECT max(id), count(*) FROM (
                SELECT id FROM devices WHERE app_id = \(app) AND id > \(after) ORDER BY id LIMIT \(Self.looksPerPage)
            ) AS looked
            """)
        guard let row = rows.first, try row[1, as: Int.self] == Self.looksPerPage else { return nil }
        return try row[0]
    }
}
