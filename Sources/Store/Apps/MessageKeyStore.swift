public import Campaigns
public import Crypto
public import Postgres

/// Stores the keys that tag an app's message ids, by version. Old keys remain, so that old messages can be
/// acknowledged.
public struct MessageKeyStore: Sendable {
    /// Bytes.
    static let keyLength = 32

    private let pool: PostgresPool
    private let sealingKeys: SealingKeyRing

    public init(pool: PostgresPool, sealingKeys: SealingKeyRing) {
        self.pool = pool
        self.sealingKeys = sealingKeys
    }

    /// The unsealed keys by version; the highest is used for new messages. Empty when there is no such app.
    public func messageKeys(app: App.ID) async throws -> [Int16: HMACKey] {
        let rows = try await pool.query("SELECT version, sealed FROM message_keys WHERE app_id = \(app)")
        var keys: [Int16: HMACKey] = [:]
        for row in rows {
            let version: Int16 = try row[0]
            let secret = try sealingKeys.open(try row[1], at: .messageKey(of: app, version: version))
            keys[version] = HMACKey(secret)
        }
        return keys
    }

    /// A unique message number and the app's newest key, for messages outside of runs. Nil when there is no such app.
    public func newMessage(app: App.ID) async throws -> (number: Int64, key: HMACKey)? {
        let rows = try await pool.query(
            """
            SELECT nextval('message_numbers'), k.version, k.sealed
            FROM (SELECT version, sealed FROM message_keys WHERE app_id = \(app) ORDER BY version DESC LIMIT 1) AS k
            """)
        guard let row = rows.first else { return nil }
        let secret = try sealingKeys.open(try row[2], at: .messageKey(of: app, version: try row[1]))
        return (try row[0], HMACKey(secret))
    }

    static func newSealedKey(app: App.ID, version: Int16, _ sealingKeys: SealingKeyRing) throws(CryptoError) -> [UInt8]
    {
        let secret = try RandomBytes.make(count: keyLength)
        return try sealingKeys.seal(secret, at: .messageKey(of: app, version: version))
    }
}
