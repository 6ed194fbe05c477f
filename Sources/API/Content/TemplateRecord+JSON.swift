import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

extension TemplateRecord {
    var members: [JSON.Member] { members([JSON.Member("name", .string(value.name))]) }

    /// The response to a save.
    func response(_ saved: TemplateDraft.Checked, status: HTTPResponse.Status = .ok) -> Response {
        let version = TemplateVersion(number: version, savedAt: updatedAt, content: saved.text)
        return response(version, saved.content, saved.report, status: status)
    }

    fileprivate func response(
        _ shown: TemplateVersion, _ content: TemplateContent, _ report: ContentReport, status: HTTPResponse.Status
    ) -> Response {
        let more = [
            JSON.Member("content_version", .count(shown.number)),
            JSON.Member("content_saved_at", .time(shown.savedAt)), JSON.Member("content", content.json),
            JSON.Member("sizes", .array(report.sizes.map(\.json))),
            JSON.Member("problems", .array(report.problems.map { $0.inside("content").json })),
        ]
        return .json(.object(members + more), version: version, status: status)
    }
}

extension ContentLoader {
    /// A stored template with a current report about it: the report changes with devices and categories.
    func response(
        _ id: Template.ID, app: App.ID, version: Int? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let (template, version, content) = try await stored(id, app: app, version: version)
        let report = content.report(in: try await context(for: content, app: app))
        return template.response(version, content, report, status: status)
    }
}

extension ContentSize {
    var members: [JSON.Member] {
        [
            JSON.Member("locale", .text(locale)), JSON.Member("min_bytes", .count(least)),
            JSON.Member("max_bytes", .count(worst)), JSON.Member("limit", .count(limit)),
        ]
    }

    fileprivate var json: JSON { .object(members) }
}
