public import Campaigns
public import JSON
public import Notifications

// Errors of a campaign's content before it starts: its largest size, its media and the app's settings may have changed
// since it was saved, and then the recipients of one locale would be suppressed, one by one.

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
        if case .payload(let text) = body {
            let key = try await context(of: app).messageIDKey
            return try campaign.problems(ofPayload: text, messageIDKey: key)
        }
        guard let rendered = try await rendered(body, of: campaign, app: app) else { return [] }
        return try await problems(of: rendered.content, at: rendered.member, app: app, values: values)
    }

    /// The warnings of the campaign's own contents and its templates, as when it is saved, by the campaign's members, and
    /// variants that lack a language. None for a template that can't be read any more.
    public func contentWarnings(of campaign: CampaignContent, app: App.ID) async throws -> [Problem] {
        var warnings: [Problem] = []
        var languages: [(path: String, locales: Set<String>)] = []
        for (index, variant) in campaign.variants.enumerated() {
            let path = campaign.path(ofVariant: index)
            do {
                guard let rendered = try await rendered(variant.body, of: campaign, app: app) else {
                    languages.append((ProblemPath.member("payload", of: path), []))
                    continue
                }
                let (content, member) = (rendered.content, rendered.member)
                languages.append((ProblemPath.member(member, of: path), Set(content.variants.map(\.locale))))
                let report = content.report(in: try await context(for: content, app: app))
                warnings += report.problems.filter { $0.severity != .error }
                    .map { $0.at(member).ofVariant(at: path) }
            } catch is Problems {
                continue
            }
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

    /// Errors of a content with a campaign's options over it, by the campaign's members. `member` is the one that has the
    /// content.
    public func problems(
        of content: TemplateContent, at member: String, app: App.ID, values: JSON? = nil
    ) async throws -> [Problem] {
        let report = content.report(in: try await context(for: content, app: app).replacingAttributes(with: values))
        return report.problems.filter { $0.severity == .error }.map { $0.at(member) }
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

    fileprivate func problems(ofPayload text: String, messageIDKey: String) throws -> [Problem] {
        let rules = PushRules(
            pushType: pushType, priority: priority, collapseID: collapseID?.text, messageIDKey: messageIDKey)
        return rules.problems(in: try JSON(parsing: text)).filter { $0.severity == .error }.map(\.atCampaignPath)
    }
}

extension Problem {
    /// A problem of a variant. Options are members of the campaign.
    public func ofVariant(at path: String) -> Problem {
        path.isEmpty || Self.options.contains(self.path) ? self : inside(path)
    }

    private static let options = ["priority", "expiration_seconds", "collapse_id"]

    /// The campaign's path: its own options have members of the campaign.
    fileprivate func at(_ member: String) -> Problem {
        Self.options.contains(path) ? self : inside(member)
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
