public import Campaigns
public import Postgres

/// The values that devices have in one field or attribute.
public struct DeviceValues: Hashable, Sendable {
    public enum Kind: String, Sendable {
        /// A field of Belfry, like `locale`.
        case field
        case attribute, tag
    }

    public struct Value: Hashable, Sendable {
        public let text: String
        /// Devices of the sample.
        public let count: Int
    }

    public let kind: Kind
    public let name: String
    /// JSON's type of an attribute's values, the most frequent one: string, number, boolean …
    public let type: String
    /// Devices of the sample that have a value.
    public let count: Int
    /// The most frequent first.
    public let values: [Value]
}

/// Finds which attributes, tags and values an app's devices have, for people who write conditions and texts. It reads a
/// sample, so it takes the same time for a thousand and a million devices.
public struct DeviceValueStore: Sendable {
    /// Devices: the newest ones, because attributes of old versions of an app are of little use.
    public static let sampleSize = 5_000
    /// Values of one field.
    static let maximumValues = 30
    /// Fields, attributes and tags together; the most frequent ones.
    static let maximumNames = 500
    /// Characters of a value; longer ones are no choices.
    static let maximumLength = 200

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Returns the number of devices in the sample, too. Tags are one entry with the tags as values.
    public func sample(app: App.ID) async throws -> (devices: Int, values: [DeviceValues]) {
        let rows = try await pool.query(
            """
            WITH sample AS MATERIALIZED (
                SELECT locale, time_zone, os_version, app_version, model, attributes, tags FROM devices
                WHERE app_id = \(app) AND retired_at IS NULL ORDER BY id DESC LIMIT \(Self.sampleSize)
            ), named AS (
                SELECT 'field' AS kind, field.name, 'string' AS type, field.value FROM sample,
                    LATERAL (VALUES ('locale', locale), ('time_zone', time_zone), ('os_version', os_version),
                        ('app_version', app_version), ('model', model)) AS field (name, value)
                WHERE field.value IS NOT NULL
                UNION ALL
                SELECT 'attribute', key, jsonb_typeof(value), value #>> '{}' FROM sample, jsonb_each(attributes)
                WHERE value <> 'null'
                UNION ALL
                SELECT 'tag', '', 'string', tag FROM sample, unnest(tags) AS tag
            ), counted AS (
                SELECT kind, name, value, count(*) AS count, mode() WITHIN GROUP (ORDER BY type) AS type,
                    row_number() OVER (PARTITION BY kind, name ORDER BY count(*) DESC, value) AS place
                FROM named WHERE length(value) <= \(Self.maximumLength) GROUP BY kind, name, value
            ), ranked AS (
                SELECT kind, name, mode() WITHIN GROUP (ORDER BY type) AS type, sum(count)::bigint AS total,
                    array_agg(value ORDER BY place) FILTER (WHERE place <= \(Self.maximumValues)) AS values,
                    array_agg(count ORDER BY place) FILTER (WHERE place <= \(Self.maximumValues)) AS counts
                FROM counted GROUP BY kind, name
            )
            SELECT kind, name, type, total, values, counts, (SELECT count(*) FROM sample) AS devices
            FROM ranked ORDER BY kind, total DESC, name LIMIT \(Self.maximumNames)
            """)
        let values = try rows.map { row in
            let texts: [String] = try row["values"]
            let counts: [Int64] = try row["counts"]
            return DeviceValues(
                kind: DeviceValues.Kind(rawValue: try row["kind"]) ?? .field, name: try row["name"],
                type: try row["type"], count: try row["total"],
                values: zip(texts, counts).map { DeviceValues.Value(text: $0, count: Int($1)) })
        }
        return (try rows.first?["devices"] ?? 0, values)
    }
}
