public import Campaigns
import JSON
import Notifications
public import Postgres

/// Reads the context in which an app's contents are checked, measured and compiled.
public struct ContentContextStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The context without media, which cannot be found in the database alone.
    public func context(of app: App.ID) async throws -> ContentContext {
        let rows = try await pool.query(
            """
            SELECT a.message_id_key, a.default_locale, a.default_time_zone, a.attachment_url_key,
                a.attachment_type_key,
                ARRAY(SELECT c.identifier FROM categories c WHERE c.app_id = a.id),
                ARRAY(SELECT k.name FROM known_attributes k WHERE k.app_id = a.id ORDER BY k.name),
                ARRAY(SELECT k.longest FROM known_attributes k WHERE k.app_id = a.id ORDER BY k.name),
                ARRAY(\(Self.locales))
            FROM apps a WHERE a.id = \(app)
            """)
        guard let row = rows.first else { throw Refusal.notFound(.app) }
        let names: [String] = try row[6]
        let lengths: [Int32] = try row[7]
        let longest = zip(names, lengths).map { (Self.field(named: $0), Self.value(ofLength: Int($1))) }
        return ContentContext(
            messageIDKey: try row[0], defaultLocale: try row[1], defaultTimeZone: try row[2],
            attachmentKeys: .init(url: try row[3], type: try row[4]),
            categories: Set(try row[5, as: [String].self]),
            locales: Set(try row[8, as: [String].self].compactMap { LocaleTag.locale($0) }),
            longestValues: Dictionary(longest) { first, _ in first })
    }

    /// The locales of an app's devices, at most `maximumLocales`. Each is found in the index after the one before,
    /// since there are far more profiles than locales.
    private static let locales: PostgresQuery = """
        WITH RECURSIVE found AS (
            SELECT min(p.locale) AS locale, 1 AS number FROM profiles p WHERE p.app_id = a.id AND p.locale > ''
            UNION ALL
            SELECT (SELECT min(p.locale) FROM profiles p WHERE p.app_id = a.id AND p.locale > f.locale), f.number + 1
            FROM found f WHERE f.locale IS NOT NULL AND f.number < \(maximumLocales)
        )
        SELECT locale FROM found WHERE locale IS NOT NULL
        """

    private static let maximumLocales = 1_000

    /// Fields that Belfry itself stores of devices have names that no attribute has.
    private static func field(named name: String) -> Field {
        guard name.hasPrefix("$"), let field = DeviceField(rawValue: String(name.dropFirst())) else {
            return .attribute([name])
        }
        return .device(field)
    }

    /// A sample value of this length, since only lengths are stored. Nines are valid as text and as a number, and a
    /// number may be formatted with separators.
    private static func value(ofLength length: Int) -> JSON {
        .string(String(repeating: "9", count: length))
    }
}
