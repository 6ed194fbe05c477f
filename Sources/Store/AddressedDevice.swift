public import Campaigns
public import Notifications
public import Postgres

/// A device as a push to it alone needs it: where to, and what a template may ask of it.
public struct AddressedDevice: Sendable {
    public let id: Device.ID
    public let installation: String
    public let nickname: String?
    /// Whether any of the installation's tokens is marked so.
    public let isTest: Bool
    public let environment: PushEnvironment
    /// Nil when the device is retired.
    public let token: DeviceToken?
    public let person: SamplePerson
}

public struct AddressedDeviceStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// In no order; who is not known is left out. An installation has a token for each kind.
    public func devices(
        _ installations: [String], app: App.ID, kind: DeviceKind = .alert
    ) async throws -> [AddressedDevice] {
        let rows = try await pool.query(
            """
            SELECT d.id, d.installation, d.nickname,
                EXISTS (SELECT FROM devices o
                    WHERE o.app_id = d.app_id AND o.installation = d.installation AND o.is_test),
                d.environment, CASE WHEN d.retired_at IS NULL THEN d.token END,
                d.user_id, d.locale, d.time_zone, d.os_version, d.app_version, d.model, d.attributes::text
            FROM devices d
            WHERE d.app_id = \(app) AND d.installation = ANY (\(installations)) AND d.kind = \(kind)
                AND d.activity = ''
            """)
        return try rows.map { row in
            AddressedDevice(
                id: try row[0], installation: try row[1], nickname: try row[2], isTest: try row[3],
                environment: try row[4],
                token: try row[5, as: [UInt8]?.self].map { try DeviceToken(bytes: $0) },
                person: SamplePerson(
                    userID: try row[6], locale: try row[7], timeZone: try row[8], osVersion: try row[9],
                    appVersion: try row[10], model: try row[11],
                    attributes: try JSON(parsing: try row[12, as: String.self])))
        }
    }
}
