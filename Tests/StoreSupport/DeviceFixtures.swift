public import Campaigns
import Crypto
public import EventLoop
import Logging
import Notifications
public import Postgres
public import Store
import TestSupport

/// A database with one app, and stores for its devices.
public struct DeviceFixture: Sendable {
    public let configuration: PostgresConfiguration
    public let stores: Stores
    public let loop: EventLoop
    public let app: App.ID
    public var pool: PostgresPool { stores.pool }
    public var registrations: RegistrationStore { stores.registrations }
    public var devices: DeviceStore { stores.devices }
    public var acknowledgements: AcknowledgementStore { stores.acknowledgements }

    public static func run(_ body: @escaping (DeviceFixture) async throws -> Void) async throws {
        try await TestDatabase.withDatabase { configuration in
            try await TestLoop.run { loop in
                let pool = PostgresPool(
                    configuration, limits: PostgresPool.Limits(connections: 8), on: loop, logger: Logger(label: "test"))
                let key = try SealingKeyRing(text: Hex.encode(RandomBytes.make(count: AESGCM.keyLength)))
                let bench = DeviceFixture(
                    configuration: configuration, stores: Stores(pool: pool, sealingKeys: key), loop: loop,
                    app: try await makeApp(pool, "one"))
                try await body(bench)
                await pool.close()
            }
        }
    }

    public static func makeApp(_ pool: PostgresPool, _ name: String) async throws -> App.ID {
        let rows = try await pool.query(
            "INSERT INTO apps (name, bundle_id) VALUES (\(name), \("com.example.\(name)")) RETURNING id")
        return try rows[0][0]
    }

    /// The rows of the table, without ids and times, for comparison.
    public func state(of app: App.ID) async throws -> [String] {
        try await pool.query(
            """
            SELECT concat_ws('|', installation, coalesce(encode(token, 'hex'), '-'), retired_reason, environment,
                authorization_status, user_id, locale, time_zone, os_version, app_version, model, attributes)
            FROM devices WHERE app_id = \(app) ORDER BY installation
            """
        ).map { try $0[0] }
    }
}

extension Registration {
    public static func make(
        _ installation: String, token: String? = "aa", app: App.ID, kind: Kind = .register,
        environment: PushEnvironment? = .production, attributes: String? = nil, address: DeviceAddress? = nil,
        _ change: (inout DeviceChanges) -> Void = { _ in }
    ) throws -> Registration {
        var changes = DeviceChanges()
        changes.token = try token.map { try DeviceToken(hex: $0) }
        changes.environment = environment
        if let attributes {
            changes.profile.attributes = .replace(DeviceAttributes(text: Array(attributes.utf8), lengths: []))
        }
        change(&changes)
        return Registration(kind, app: app, address: address ?? DeviceAddress(installation), changes: changes)
    }
}

extension RegistrationStore.Outcome {
    public var id: Device.ID? { if case .stored(let device) = self { device.id } else { nil } }
}
