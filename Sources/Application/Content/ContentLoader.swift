public import Campaigns
import JSON
import Notifications
import Postgres
public import Store

/// Loads contents and the context to check them in, for templates, campaigns and test pushes.
public struct ContentLoader: Sendable {
    private let templates: TemplateStore
    private let contexts: ContentContextStore
    private let media: any MediaFinder

    public init(stores: Stores, media: any MediaFinder) {
        templates = stores.templates
        contexts = stores.contentContexts
        self.media = media
    }

    /// For a content without media.
    public func context(of app: App.ID) async throws -> ContentContext {
        try await contexts.context(of: app)
    }

    public func context(for content: TemplateContent, app: App.ID) async throws -> ContentContext {
        var context = try await context(of: app)
        if let reference = content.media { context.media = try await media.find(reference, app: app) }
        return context
    }

    /// The contents of a campaign in the order of its variants, ready to be composed. Nil for one that doesn't compile.
    func compiled(_ campaign: CampaignContent, app: App.ID) async throws -> [CompiledContent?] {
        var columns = ContentFields()
        var contents: [CompiledContent?] = []
        for variant in campaign.variants {
            contents.append(try await compiled(variant.body, of: campaign, app: app, &columns))
        }
        return contents.map { $0?.reading(columns) }
    }

    private func compiled(
        _ body: CampaignContent.Body, of campaign: CampaignContent, app: App.ID, _ columns: inout ContentFields
    ) async throws -> CompiledContent? {
        if case .payload(let text) = body {
            // Apple would refuse what is no payload; an older version may have stored it.
            guard let payload = try? Payload(json: JSON(parsing: text)) else { return nil }
            return CompiledContent(
                constant: payload, pushType: campaign.pushType, messageIDKey: try await context(of: app).messageIDKey)
        }
        guard let content = try await rendered(body, of: campaign, app: app)?.content else { return nil }
        let context = try await context(for: content, app: app)
        do throws(Problems) { return try CompiledContent(content, in: context, &columns) } catch { return nil }
    }

    /// The content of a campaign or of one of its variants; nil for a payload, which is not rendered.
    func rendered(
        _ body: CampaignContent.Body, of campaign: CampaignContent, app: App.ID
    ) async throws -> RenderedContent? {
        var content: TemplateContent
        let member: String
        switch body {
        case .payload: return nil
        case .content(let text):
            content = try TemplateContent(ownJSON: try JSON(parsing: text))
            content.pushType = campaign.pushType
            member = "content"
        case .template(let template):
            content = try await stored(template.id, app: app, version: template.version).content
            member = "template"
        }
        content = content.overridden(
            priority: campaign.priority, expirationSeconds: campaign.expirationSeconds,
            collapseID: campaign.collapseID?.text)
        return RenderedContent(content: content, member: member)
    }

    /// A stored content, with its template and version.
    public func stored(
        _ id: Template.ID, app: App.ID, version: Int? = nil
    ) async throws -> (template: TemplateRecord, version: TemplateVersion, content: TemplateContent) {
        let (template, version) = try await templates.findContent(of: id, app: app, version: version)
        return (template, version, try TemplateContent(json: try JSON(parsing: version.content)))
    }
}

/// The content of a campaign or of one of its variants, with the campaign's options over its own.
struct RenderedContent {
    let content: TemplateContent
    /// The campaign's member that has it.
    let member: String
}
