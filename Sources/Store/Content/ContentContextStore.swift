public import Campaigns
import JSON
import Notifications
public import Postgres

/// What an app's contents are checked, measured and compiled against.
public struct ContentContextStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// All but the content's media, which is not for the database alone to find.
    public func context(of app: App.ID) async throws -> ContentContext {
        let rows = try await pool.query(
            """
            SELECT a.message_id_key, a.default_locale, a.default_time_zone, a.attachment_url_key,
                a.attachment_type_key,
                ARRAY(SELECT c.identifier FROM categories c WHERE c.app_id = a.id),
                ARRAY(SELECT k.name FROM known_attributes k WHERE k.app_id = a.id ORDER BY k.name),
                ARRAY(SELECT k.longest FROM known_attributes k WHERE k.app_id = a.id ORDER BY k.name)
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
            longestValues: Dictionary(longest) { first, _ in first })
    }

    /// What Belfry itself knows of devices stands under names that no attribute has.
    private static func field(named name: String) -> Field {
        guard name.hasPrefix("$"), let field = DeviceField(rawValue: String(name.dropFirst())) else {
            return .attribute([name])
        }
        return .device(field)
    }

    /// Only lengths are kept. Nines, since they pass for a text and for a number alike, and a number gets marks
    /// between its digits.
    private static func value(ofLength length: Int) -> JSON {
        .string(String(repeating: "9", count: length))
    }
}
