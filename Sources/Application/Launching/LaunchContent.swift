public import Campaigns
public import JSON
public import Notifications

// Errors of a campaign's content before it starts: a template's largest size, its media and the app's settings may have
// changed since it was saved, and then the recipients of one locale would be suppressed, one by one.

extension ContentLoader {
    /// Errors only, by the campaign's members. `values`, an object, replace attributes with the same names.
    public func problems(of campaign: CampaignContent, app: App.ID, values: JSON? = nil) async throws -> [Problem] {
        var problems: [Problem] = []
        for (index, variant) in campaign.variants.enumerated() {
            let path = campaign.path(ofVariant: index)
            problems += try await self.problems(of: variant.body, in: campaign, app: app, values: values)
                .map { $0.ofVariant(at: path) }
        }
        return problems
    }

    private func problems(
        of body: CampaignContent.Body, in campaign: CampaignContent, app: App.ID, values: JSON?
    ) async throws -> [Problem] {
        switch body {
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

    /// The warnings of the campaign's templates, as when it is saved, by the campaign's members, and variants that lack
    /// a language. None for a template that can't be read any more.
    public func templateWarnings(of campaign: CampaignContent, app: App.ID) async throws -> [Problem] {
        var warnings: [Problem] = []
        var languages: [(path: String, locales: Set<String>)] = []
        for (index, variant) in campaign.variants.enumerated() {
            let path = campaign.path(ofVariant: index)
            guard case .template(let template) = variant.body else {
                languages.append((ProblemPath.member("payload", of: path), []))
                continue
            }
            let stored: TemplateContent
            do {
                stored = try await self.stored(template.id, app: app, version: template.version).content
            } catch is Problems {
                continue
            }
            languages.append((ProblemPath.member("template", of: path), Set(stored.variants.map(\.locale))))
            let content = stored.overridden(
                priority: campaign.priority, expirationSeconds: campaign.expirationSeconds,
                collapseID: campaign.collapseID?.text)
            let report = content.report(in: try await context(for: content, app: app))
            warnings += report.problems.filter { $0.severity != .error }.map { $0.atTemplatePath.ofVariant(at: path) }
        }
        return warnings + Self.missingLanguages(languages)
    }

    /// Variants without a language that another has: its people would see a text in another language, and the results would
    /// compare languages.
    private static func missingLanguages(_ variants: [(path: String, locales: Set<String>)]) -> [Problem] {
        let all = variants.reduce(into: Set<String>()) { $0.formUnion($1.locales) }
        return variants.flatMap { variant in
            all.subtracting(variant.locales).sorted().map { locale in
                Problem.warning(
                    variant.path, "language-missing",
                    "has no text in \(locale), which another variant has; people with this language see its default text"
                )
            }
        }
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

extension CampaignContent {
    /// The path of a variant; empty for the only content.
    public func path(ofVariant index: Int) -> String { isTest ? ProblemPath.element(index, of: "variants") : "" }
}

extension Problem {
    /// A problem of a variant. Options are members of the campaign.
    public func ofVariant(at path: String) -> Problem {
        path.isEmpty || Self.options.contains(self.path) ? self : inside(path)
    }

    private static let options = ["priority", "expiration_seconds", "collapse_id"]

    /// The campaign's path: its own options have members of the campaign.
    fileprivate var atTemplatePath: Problem {
        Self.options.contains(path) ? self : inside("template")
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
