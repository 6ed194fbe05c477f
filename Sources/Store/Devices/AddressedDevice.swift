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
    /// Keys of topics.
    public let optOuts: [String]
    public let person: RecipientProfile
}

public struct AddressedDeviceStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Finds devices, in no order; unknown ones are missing. An installation has one token for each kind.
    public func devices(
        _ installations: [String], app: App.ID, kind: DeviceKind = .alert
    ) async throws -> [AddressedDevice] {
        let isTest: PostgresQuery = """
            EXISTS (SELECT FROM devices o
                WHERE o.app_id = d.app_id AND o.installation = d.installation AND o.is_test)
            """
        let rows = try await pool.query(
            """
            SELECT \(isTest), \(Self.columns) FROM devices d
            WHERE d.app_id = \(app) AND d.installation = ANY (\(installations)) AND d.kind = \(kind)
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
        d.id, d.installation, d.nickname, d.environment, CASE WHEN d.retired_at IS NULL THEN d.token END,
        d.authorization_status = 1, d.opt_outs,
        d.user_id, d.locale, d.time_zone, d.os_version, d.app_version, d.model, d.attributes::text
        """
}

extension AddressedDevice {
    static let columnCount = 15

    init(_ row: PostgresRow) throws {
        isTest = try row[0]
        id = try row[1]
        installation = try row[2]
        nickname = try row[3]
        environment = try row[4]
        token = try row[5, as: [UInt8]?.self].map { try DeviceToken(bytes: $0) }
        isDenied = try row[6]
        optOuts = try row[7]
        person = RecipientProfile(
            userID: try row[8], locale: try row[9], timeZone: try row[10], osVersion: try row[11],
            appVersion: try row[12], model: try row[13],
            attributes: try JSON(parsing: try row[14, as: String.self]))
    }
}
