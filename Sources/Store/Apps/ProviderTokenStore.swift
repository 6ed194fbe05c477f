import Campaigns
public import Crypto
public import Notifications
public import Postgres

/// Shares one provider token per signing key among all processes and apps. A process that finds it too old creates the
/// next one. Two apps may name different keys by the same key id, because one of them is mistaken: each key has its own
/// token.
public struct ProviderTokenStore: Sendable {
    public struct Shared: Equatable, Sendable {
        public let text: String
        /// Seconds since 1970, on the database's clock.
        public let issuedAt: Int
    }

    private let pool: PostgresPool
    private let sealingKeys: SealingKeyRing

    public init(pool: PostgresPool, sealingKeys: SealingKeyRing) {
        self.pool = pool
        self.sealingKeys = sealingKeys
    }

    /// Seconds. A token from later than this is replaced: the clock was set back, and Apple refuses it. Clocks that are
    /// corrected by less must not replace it, because Apple limits how often tokens change.
    private static let clockTolerance = 60

    /// Returns the shared token. `make(now)` creates it when there is none, or it is older than `age` seconds or from
    /// the future. The row is locked meanwhile, so that one process creates it.
    public func token(
        team: TeamID, keyID: KeyID, key: VerifyingKey, olderThan age: Int, make: @Sendable (_ now: Int) throws -> String
    ) async throws -> Shared {
        let hash = SHA256.hex(key.pem.utf8)
        let context = SealingContext.providerToken(team: team, keyID: keyID, keyHash: hash)
        let isToken: PostgresQuery =
            "team_id = \(team.text) AND key_id = \(keyID.text) AND key_hash = \(hash)"
        return try await pool.transaction { connection in
            // Ensures that there is a row to lock.
            try await connection.execute(
                """
                INSERT INTO provider_tokens (team_id, key_id, key_hash, issued_at, sealed_token)
                VALUES (\(team.text), \(keyID.text), \(hash), 'epoch', '') ON CONFLICT DO NOTHING
                """)
            let rows = try await connection.query(
                """
                SELECT floor(extract(epoch FROM issued_at))::bigint,
                    floor(extract(epoch FROM clock_timestamp()))::bigint, sealed_token
                FROM provider_tokens WHERE \(isToken) FOR UPDATE
                """)
            guard let row = rows.first else { throw Refusal.notFound(.credential) }
            let issuedAt: Int = try row[0]
            let now: Int = try row[1]
            if (-Self.clockTolerance..<age).contains(now - issuedAt), let text = open(try row[2], at: context) {
                return Shared(text: text, issuedAt: issuedAt)
            }
            let text = try make(now)
            try await connection.execute(
                """
                UPDATE provider_tokens
                SET issued_at = to_timestamp(\(Double(now))),
                    sealed_token = \(try sealingKeys.seal(Array(text.utf8), at: context))
                WHERE \(isToken)
                """)
            return Shared(text: text, issuedAt: now)
        }
    }

    /// The shared token if there is one that is younger than `age` seconds. Nothing is created or locked.
    public func current(team: TeamID, keyID: KeyID, key: VerifyingKey, youngerThan age: Int) async throws -> Shared? {
        let hash = SHA256.hex(key.pem.utf8)
        let rows = try await pool.query(
            """
            SELECT floor(extract(epoch FROM issued_at))::bigint, sealed_token FROM provider_tokens
            WHERE team_id = \(team.text) AND key_id = \(keyID.text) AND key_hash = \(hash)
                AND issued_at > now() - make_interval(secs => \(Double(age)))
            """)
        let context = SealingContext.providerToken(team: team, keyID: keyID, keyHash: hash)
        guard let row = rows.first, let text = open(try row[1], at: context) else { return nil }
        return Shared(text: text, issuedAt: try row[0])
    }

    /// Nil for a token sealed by another key: a new one can be created.
    private func open(_ sealed: [UInt8], at context: SealingContext) -> String? {
        do {
            return String(decoding: try sealingKeys.open(sealed, at: context), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
