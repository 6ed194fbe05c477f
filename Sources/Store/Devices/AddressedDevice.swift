public import Campaigns
import JSON
public import Notifications
public import Postgres

/// A device with all that a push to it needs: address, consent, and the values for templates.
public struct AddressedDevice: Sendable {
    public let id: Device.ID
    public let installation: String
    public let nickname: String?
    /// Whether any device of the installation is marked as a test device.
    public let isTest: Bool
    public let environment: PushEnvironment
    /// Nil when the device is retired.
    public let token: DeviceToken?
    /// The person has denied notifications.
    public let isDenied: Bool
    /// Keys of `OptOut`.
    public let optOuts: [String]
    public let person: RecipientProfile
}

public struct AddressedDeviceStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Finds devices by installation or handle, in no order; unknown ones are missing. An installation has one token
    /// for each kind.
    public func devices(
        _ installations: [String], app: App.ID, kind: DeviceKind = .alert
    ) async throws -> [AddressedDevice] {
        let ids = installations.compactMap { DeviceHandle($0)?.device.rawValue }
        let isTest: PostgresQuery = """
            EXISTS (SELECT FROM devices o
                WHERE o.app_id = d.app_id AND o.installation = d.installation AND o.is_test)
            """
        let rows = try await pool.query(
            """
            SELECT \(isTest) AS is_test, \(Self.columns) FROM devices d
            WHERE d.app_id = \(app) AND (d.installation = ANY (\(installations)) OR d.id = ANY (\(ids))) AND d.kind = \(kind)
                AND d.activity = ''
            """)
        return try rows.map { try AddressedDevice($0) }
    }

    /// The installations of the devices that exist.
    public func installations(of devices: [Device.ID], app: App.ID) async throws -> [Device.ID: String] {
        let rows = try await pool.query(
            "SELECT id, installation FROM devices WHERE app_id = \(app) AND id = ANY (\(devices.map(\.rawValue)))")
        return Dictionary(try rows.map { (try $0[0], try $0[1]) }) { first, _ in first }
    }

    static let columns: PostgresQuery = """
        d.id, d.installation, d.nickname, d.environment, CASE WHEN d.retired_at IS NULL THEN d.token END AS token,
        d.authorization_status = 1 AS is_denied, d.opt_outs,
        d.user_id, d.locale, d.time_zone, d.os_version, d.app_version, d.model, d.attributes::text
        """
}

extension AddressedDevice {
    init(_ row: PostgresRow) throws {
        isTest = try row["is_test"]
        id = try row["id"]
        installation = try row["installation"]
        nickname = try row["nickname"]
        environment = try row["environment"]
        token = try row["token", as: [UInt8]?.self].map { try DeviceToken(bytes: $0) }
        isDenied = try row["is_denied"]
        optOuts = try row["opt_outs"]
        person = RecipientProfile(
            userID: try row["user_id"], locale: try row["locale"], timeZone: try row["time_zone"],
            osVersion: try row["os_version"],
            appVersion: try row["app_version"], model: try row["model"],
            attributes: try JSON(parsing: try row["attributes", as: String.self]))
    }
}
