import Campaigns
import HTTPServer
import JSON
import Notifications
import Store

extension Entry {
    /// The entry in JSON: the members of its value between those that all entries have.
    func members(_ own: [JSON.Member], warnings: [Problem]? = nil) -> [JSON.Member] {
        let warnings = warnings.map { [JSON.Member("warnings", .array($0.map(\.json)))] } ?? []
        return [JSON.Member("id", .id(id)), JSON.Member("app_id", .id(app))] + own + [
            JSON.Member("version", .count(version)), JSON.Member("archived_at", .time(archivedAt)),
        ] + warnings + [
            JSON.Member("created_at", .time(createdAt)), JSON.Member("updated_at", .time(updatedAt)),
        ]
    }
}
