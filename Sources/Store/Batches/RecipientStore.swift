public import Campaigns
public import Postgres

/// Reads a batch's device tokens: all when the batch is claimed, and those of deferred recipients before they are
/// retried.
public struct RecipientStore: Sendable {
    /// Ids per recipient below which a range scan is used: it also reads the devices in between.
    static let maximumSparsity: Int64 = 8

    /// Returned instead of an outcome code: the device now belongs to the other environment.
    public static let inOtherEnvironment: UInt8 = 255

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Rows of id, token, the reason not to send (an outcome code in two bytes; zero: send) and the fields that the
    /// content needs, sorted by id. Retired devices are missing. `values`, an object, replace attributes with the same
    /// names. `some` are the recipients to read; nil: all.
    public func recipients(
        of batch: ClaimedBatch, some: [Int64]? = nil, with needs: [Field], values: JSONText? = nil, consent: Consent
    ) async throws -> PostgresRows {
        let isDense =
            some == nil && batch.lastID - batch.firstID < Int64(batch.recipients.count) * Self.maximumSparsity
        let recipientFilter: PostgresQuery =
            isDense
            ? "id BETWEEN \(batch.firstID) AND \(batch.lastID)" : "id = ANY (\(some ?? batch.recipients))"
        return try await pool.query(
            """
            SELECT id, token,
                CASE WHEN environment = \(batch.environment) OR \(batch.isEnvironmentProbe) THEN \(consent.code)
                    ELSE \(Int16(Self.inOtherEnvironment)) END::smallint\(Self.columns(needs, replacedBy: values))
            FROM devices d
            WHERE app_id = \(batch.app) AND \(recipientFilter) AND retired_at IS NULL
            ORDER BY id
            """)
    }

    /// The columns of `devices`, each after a comma.
    static func columns(_ needs: [Field], replacedBy values: JSONText? = nil) -> PostgresQuery {
        let attributes: PostgresQuery = values.map { "(attributes || \($0))" } ?? "attributes"
        return needs.reduce(into: "") { columns, field in
            switch field {
            case .device(let field): columns += ", \(unescaped: field.rawValue)"
            case .attribute(let path): columns += ", \(Self.value(at: path, in: attributes))"
            }
        }
    }

    /// The value at a path through objects only: PostgreSQL's paths also read a number as an index into a list.
    private static func value(at path: [String], in attributes: PostgresQuery) -> PostgresQuery {
        guard path.count > 1 else { return "\(attributes) #> \(path)" }
        let parents = (1..<path.count).map { Array(path.prefix($0)) }
        let areObjects = parents.reduce(into: PostgresQuery("true")) { condition, parent in
            condition += " AND jsonb_typeof(\(attributes) #> \(parent)) = 'object'"
        }
        return "CASE WHEN \(areObjects) THEN \(attributes) #> \(path) END"
    }
}
