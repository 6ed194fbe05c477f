public import Campaigns
public import Postgres

/// A template as it is stored, without its content.
public struct TemplateRecord: Hashable, Sendable {
    /// Characters.
    public static let maximumNameLength = 200

    public let id: Template.ID
    public let app: App.ID
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// An archived template cannot be edited or newly used. Campaigns that use it already are not affected.
    public let archivedAt: Timestamp?
    /// The number of its newest version: raised by every save, not by archiving.
    public let version: Int
    public let name: String
}

/// One save of a template. It never changes, so that what was sent can always be shown.
public struct TemplateVersion: Hashable, Sendable {
    public let number: Int
    public let savedAt: Timestamp
    /// The JSON of `TemplateContent` as text, with the order of its keys and the digits of its numbers.
    public let content: String

    public init(number: Int, savedAt: Timestamp, content: String) {
        self.number = number
        self.savedAt = savedAt
        self.content = content
    }
}

extension TemplateRecord {
    /// For FROM templates t.
    static let columns: PostgresQuery =
        "t.id, t.app_id, t.created_at, t.updated_at, t.archived_at, t.version, t.name"

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        archivedAt = try row["archived_at"]
        version = try row["version"]
        name = try row["name"]
    }
}
