public import Campaigns
import JSON
import Notifications
public import Postgres

/// A segment as it is stored.
public struct SegmentRecord: Hashable, Sendable {
    /// Characters.
    public static let maximumNameLength = 200

    public let id: Segment.ID
    public let app: App.ID
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// An archived segment cannot be newly used. Existing uses are not affected.
    public let archivedAt: Timestamp?
    /// Raised by every edit, not by archiving.
    public let version: Int
    public let name: String
    public let audience: Audience
}

extension SegmentRecord {
    /// For FROM segments s.
    static let columns: PostgresQuery =
        "s.id, s.app_id, s.created_at, s.updated_at, s.archived_at, s.version, s.name, s.audience"

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        archivedAt = try row["archived_at"]
        version = try row["version"]
        name = try row["name"]
        audience = try Audience(json: JSON(parsing: row["audience", as: String.self]))
    }
}

extension Audience {
    /// As it is stored.
    var text: String { String(decoding: json.encoded(), as: UTF8.self) }
}
