public import Campaigns
public import JSON
public import Notifications

// Errors of a campaign's content before it starts: a template's largest size, its media and the app's settings may have
// changed since it was saved, and then the recipients of one locale would be suppressed, one by one.

extension ContentLoader {
    /// Errors only, by the campaign's members. `values`, an object, replace attributes with the same names.
    public func problems(of campaign: CampaignContent, app: App.ID, values: JSON? = nil) async throws -> [Problem] {
        switch campaign.body {
        case .payload(let text):
            let rules = PushRules(
                pushType: campaign.pushType, priority: campaign.priority, collapseID: campaign.collapseID?.text,
                messageIDKey: try await context(of: app).messageIDKey)
            return rules.problems(in: try JSON(parsing: text)).filter { $0.severity == .error }.map(\.atCampaignPath)
        case .template(let template):
            let stored = try await stored(template.id, app: app, version: template.version).content
            let content = stored.overridden(
                priority: campaign.priority, expirationSeconds: campaign.expirationSeconds,
                collapseID: campaign.collapseID?.text)
            return try await problems(ofTemplate: content, app: app, values: values)
        }
    }

    /// What the campaign's template warns of, as when it is saved, by the campaign's members. None for a payload, and for
    /// a template that can't be read any more.
    public func templateWarnings(of campaign: CampaignContent, app: App.ID) async throws -> [Problem] {
        guard case .template(let template) = campaign.body else { return [] }
        let stored: TemplateContent
        do {
            stored = try await self.stored(template.id, app: app, version: template.version).content
        } catch is Problems {
            return []
        }
        let content = stored.overridden(
            priority: campaign.priority, expirationSeconds: campaign.expirationSeconds,
            collapseID: campaign.collapseID?.text)
        let report = content.report(in: try await context(for: content, app: app))
        return report.problems.filter { $0.severity != .error }.map(\.atTemplatePath)
    }

    /// Errors of a template's content with a campaign's options over it, by the campaign's members.
    public func problems(
        ofTemplate content: TemplateContent, app: App.ID, values: JSON? = nil
    ) async throws -> [Problem] {
        let report = content.report(in: try await context(for: content, app: app).replacingAttributes(with: values))
        return report.problems.filter { $0.severity == .error }.map(\.atTemplatePath)
    }
}

extension TemplateContent {
    /// With the options of a campaign, which override its own.
    public func overridden(priority: Priority?, expirationSeconds: Int?, collapseID: String?) -> TemplateContent {
        var content = self
        content.priority = priority
        content.expirationSeconds = expirationSeconds
        content.collapseID = collapseID
        return content
    }
}

extension Problem {
    /// The campaign's path: its own options have members of the campaign.
    fileprivate var atTemplatePath: Problem {
        ["priority", "expiration_seconds", "collapse_id"].contains(path) ? self : inside("template")
    }

    /// The rules report paths of payload and headers; this maps them to members of a campaign.
    public var atCampaignPath: Problem {
        let path =
            switch path {
            case "": "payload"
            case "apns-priority": "priority"
            case "apns-expiration": "expiration_seconds"
            case "apns-collapse-id": "collapse_id"
            case let path where path.hasPrefix("["): "payload" + path
            default: "payload." + path
            }
        return Problem(path: path, code: code, message: message, severity: severity, fix: fix)
    }
}
