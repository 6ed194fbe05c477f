public import Campaigns
public import Postgres

/// A batch's device tokens, read once when it is claimed, and devices that Apple says are gone.
public struct RecipientStore: Sendable {
    /// A range scan reads what lies between; it pays while the recipients are not too thin in it.
    static let thinness: Int64 = 8

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Rows of id, token and the fields that the content needs, sorted by id. Who has left, or moved to the other
    /// environment, is missing.
    public func recipients(of batch: ClaimedBatch, with needs: [Field]) async throws -> PostgresRows {
        let isDense = batch.lastID - batch.firstID < Int64(batch.recipients.count) * Self.thinness
        let who: PostgresQuery =
            isDense
            ? "id BETWEEN \(batch.firstID) AND \(batch.lastID)" : "id = ANY (\(batch.recipients))"
        return try await pool.query(
            """
            SELECT id, token\(Self.columns(needs)) FROM devices
            WHERE app_id = \(batch.app) AND \(who) AND retired_at IS NULL AND environment = \(batch.environment)
            ORDER BY id
            """)
    }

    private static func columns(_ needs: [Field]) -> PostgresQuery {
        needs.reduce(into: "") { columns, field in
            switch field {
            case .device(let field): columns += ", \(unescaped: field.rawValue)"
            case .attribute(let path): columns += ", \(Self.attribute(path))"
            }
        }
    }

    /// The value inside of objects only: PostgreSQL's paths reach into lists too, where a name is a number.
    private static func attribute(_ path: [String]) -> PostgresQuery {
        guard path.count > 1 else { return "attributes #> \(path)" }
        let around = (1..<path.count).map { Array(path.prefix($0)) }
        let areObjects = around.reduce(into: PostgresQuery("true")) { condition, parent in
            condition += " AND jsonb_typeof(attributes #> \(parent)) = 'object'"
        }
        return "CASE WHEN \(areObjects) THEN attributes #> \(path) END"
    }

    /// Apple's word that a token is gone. It counts only against a registration, and a sign of life,
    /// before `since` (milliseconds since 1970): the app may have got the same token again.
    public struct Gone: Sendable {
        public let device: Int64
        public let since: Int64
        /// False for `Unregistered`.
        public let isExpiredToken: Bool

        public init(device: Int64, since: Int64, isExpiredToken: Bool) {
            self.device = device
            self.since = since
            self.isExpiredToken = isExpiredToken
        }
    }

    /// Returns how many devices were retired.
    public func retire(_ gone: [Gone], app: App.ID) async throws -> Int {
        guard !gone.isEmpty else { return 0 }
        return try await pool.execute(
            """
            WITH gone AS MATERIALIZED (
                SELECT d.app_id, d.id, g.is_expired
                FROM unnest(\(gone.map(\.device)), \(gone.map(\.since)), \(gone.map(\.isExpiredToken)))
                    AS g (id, since, is_expired)
                JOIN devices d ON d.app_id = \(app) AND d.id = g.id
                LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id
                WHERE d.retired_at IS NULL
                    AND greatest(d.token_registered_at, a.last_seen_at) < to_timestamp(g.since / 1000.0)
                -- The order in which every writer locks devices.
                ORDER BY d.id FOR UPDATE OF d
            )
            UPDATE devices d
            SET retired_at = now(), retired_reason = CASE WHEN g.is_expired THEN 2 ELSE 1 END
            FROM gone g WHERE d.app_id = g.app_id AND d.id = g.id
            """)
    }
}
