public import Campaigns
public import Postgres

/// A template as it is stored, without its content. Its version is the number of its newest `TemplateVersion`: raised by
/// every save, not by archiving. An archived template cannot be edited or newly used; campaigns that use it already are
/// not affected.
public typealias TemplateRecord = Entry<Template, TemplateName>

public struct TemplateName: Named, Hashable, Sendable {
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

extension EntryTable<Template, TemplateName> {
    static func templates(in pool: PostgresPool) -> Self {
        EntryTable(
            "templates", of: .template, columns: ["name"],
            uses: [
                "campaigns_app_id_template_id_template_version_fkey": .templateInUse,
                "runs_app_id_template_id_template_version_fkey": .templateInUse,
            ], in: pool
        ) { row, _ in TemplateName(name: try row["name"]) }
    }
}
