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
        context.addNestedAttributes(of: content)
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

extension ContentContext {
    /// Lengths are kept of whole attributes: what stands inside of one is no longer than that.
    fileprivate mutating func addNestedAttributes(of content: TemplateContent) {
        guard let needs = try? CompiledContent(content, in: self).needs else { return }
        for case .attribute(let path) in needs where path.count > 1 {
            guard let whole = longestValues[.attribute([path[0]])] else { continue }
            longestValues[.attribute(path)] = whole
        }
    }
}

extension Problem {
    /// The same of what stands under a member.
    func at(_ parent: String) -> Problem {
        let whole = path.isEmpty ? parent : path.hasPrefix("[") ? parent + path : "\(parent).\(path)"
        return Problem(path: whole, code: code, message: message, severity: severity)
    }
}
