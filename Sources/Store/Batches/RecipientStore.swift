public import Campaigns
public import Postgres

/// A batch's device tokens, read once when it is claimed, and devices that Apple says are gone.
public struct RecipientStore: Sendable {
    /// A range scan reads what lies between; it pays while the recipients are not too thin in it.
    static let thinness: Int64 = 8

    /// In place of an outcome's code: the device belongs to the other environment by now.
    public static let elsewhere: UInt8 = 255

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Rows of id, token, why he is not to get it (an outcome's code in two bytes; zero to send) and the fields that the
    /// content needs, sorted by id. Who has left is missing.
    public func recipients(
        of batch: ClaimedBatch, with needs: [Field], consent: Consent
    ) async throws -> PostgresRows {
        let isDense = batch.lastID - batch.firstID < Int64(batch.recipients.count) * Self.thinness
        let who: PostgresQuery =
            isDense
            ? "id BETWEEN \(batch.firstID) AND \(batch.lastID)" : "id = ANY (\(batch.recipients))"
        return try await pool.query(
            """
            SELECT id, token,
                CASE WHEN environment = \(batch.environment) OR \(batch.isTrial) THEN \(consent.code)
                    ELSE \(Int16(Self.elsewhere)) END::smallint\(Self.columns(needs))
            FROM devices d
            WHERE app_id = \(batch.app) AND \(who) AND retired_at IS NULL
            ORDER BY id
            """)
    }

    /// Of `devices`, each after a comma.
    static func columns(_ needs: [Field]) -> PostgresQuery {
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
}
