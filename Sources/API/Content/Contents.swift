import Campaigns
import Notifications
import Store

/// Contents with what they are checked against: what templates, campaigns and test pushes share.
struct Contents: Sendable {
    let templates: TemplateStore
    let contexts: ContentContextStore
    let media: any MediaFinder

    func context(for content: TemplateContent, app: App.ID) async throws -> ContentContext {
        var context = try await contexts.context(of: app)
        if let reference = content.media { context.media = try await media.find(reference, app: app) }
        return context
    }

    /// A content that is stored, with the template it is of.
    func stored(
        _ id: Template.ID, app: App.ID, version: Int? = nil
    ) async throws -> (template: TemplateRecord, version: TemplateVersion, content: TemplateContent) {
        let (template, version) = try await templates.find(id, app: app, version: version)
        return (template, version, try TemplateContent(json: try JSON(parsing: version.content)))
    }
}

extension Problem {
    /// The same of what stands under a member.
    func at(_ parent: String) -> Problem {
        let whole = path.isEmpty ? parent : path.hasPrefix("[") ? parent + path : "\(parent).\(path)"
        return Problem(path: whole, code: code, message: message, severity: severity)
    }
}
