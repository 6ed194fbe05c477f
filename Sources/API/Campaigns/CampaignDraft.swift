import Application
import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// Reads and checks a campaign's content. All problems are collected before any is reported.
struct CampaignDraft {
    private var name: String?
    private var payload: JSON?
    private var template: Template.ID?
    /// Nil means the newest version at the time of saving, which the campaign then keeps.
    private var templateVersion: Int?
    /// Whether the request names the template. Its settings are copied then, and can be changed afterwards.
    private var namesTemplate = false
    private var pushType: PushType? = .alert
    private var priority: Priority?
    private var expirationSeconds: Int?
    private var collapseID: String?
    private var unknownPolicy: UnknownPolicy?
    private var topic: TopicKey?
    private var options = CampaignOptions()

    init() {}

    init(_ content: CampaignContent) throws {
        name = content.name
        payload = try content.payload.map { try JSON(parsing: $0) }
        template = content.template?.id
        templateVersion = content.template?.version
        pushType = content.pushType
        priority = content.priority
        expirationSeconds = content.expirationSeconds
        collapseID = content.collapseID?.text
        unknownPolicy = content.unknownPolicy
        topic = content.topic
        options = content.options
    }

    /// Replaces the members that the body contains; null clears an optional one. `zones` are the names of known time
    /// zones.
    mutating func read(_ body: inout ObjectReader) {
        name = body.text("name", length: 1...CampaignContent.maximumNameLength) ?? name
        readContent(&body)
        if body.has("push_type") { pushType = body.choice("push_type", among: PushType.allCases) }
        if body.takeNull("priority") { priority = nil }
        priority = body.priority("priority") ?? priority
        expirationSeconds =
            body.whole("expiration_seconds", in: 0...CampaignContent.maximumExpirationSeconds) ?? expirationSeconds
        if body.takeNull("collapse_id") { collapseID = nil }
        // `PushRules` checks it together with the payload.
        collapseID = body.text("collapse_id", length: 0...1_024) ?? collapseID
        if body.takeNull("unknown_policy") { unknownPolicy = nil }
        unknownPolicy = body.choice("unknown_policy", among: [UnknownPolicy.resend, .leave]) ?? unknownPolicy
        if body.takeNull("topic") { topic = nil }
        topic = body.value("topic") { (text) throws(InvalidValue) in try TopicKey(text) } ?? topic
        options.read(&body)
    }

    /// Reads either a payload or a template; both together are a problem.
    private mutating func readContent(_ body: inout ObjectReader) {
        namesTemplate = body.has("template") || body.has("template_version")
        if let json = body.take("payload") {
            if namesTemplate { body.refuse("payload", "mutually-exclusive", "can't be combined with `template`") }
            payload = json
            template = nil
        }
        if namesTemplate {
            template = body.id("template") ?? template
            // Naming the template again selects its newest version.
            templateVersion = body.whole("template_version", in: 1...Int(Int32.max))
            if template == nil, body.problems.isEmpty { body.refuse("template", "missing", "is required") }
            payload = nil
            (pushType, priority, expirationSeconds, collapseID) = (nil, nil, nil, nil)
        }
        if template != nil, body.take("push_type") != nil {
            body.refuse(
                "push_type", "mutually-exclusive", "can't be combined with `template`, which has its own push type")
        }
    }

    /// The content, if neither `body` nor Apple's rules have found a problem.
    func content(
        _ body: inout ObjectReader, _ contents: ContentLoader, _ audiences: AudienceCheck, app: AppRecord
    ) async throws -> CampaignContent {
        var checked = self
        try await checked.options.checkAudience(&body, audiences, app: app.id)
        return try await checked.content(&body, contents, app: app)
    }

    private func content(
        _ body: inout ObjectReader, _ contents: ContentLoader, app: AppRecord
    ) async throws -> CampaignContent {
        if let template { return try await content(template, &body, contents, app.id) }
        check(&body, app.settings.messageIDKey)
        try body.finish()
        guard let payload, let pushType else { throw APIError(problems: []) }
        return try made(.payload(String(decoding: payload.encoded(), as: UTF8.self)), pushType)
    }

    private func content(
        _ template: Template.ID, _ body: inout ObjectReader, _ contents: ContentLoader, _ app: App.ID
    ) async throws -> CampaignContent {
        var draft = self
        var reference: TemplateReference?
        do {
            let (record, version, content) = try await contents.stored(template, app: app, version: templateVersion)
            if namesTemplate, record.archivedAt != nil {
                body.refuse("template", "template-archived", "is archived; unarchive it first")
            }
            if namesTemplate { draft.takeOver(content) }
            draft.pushType = content.pushType
            content.pushType.refuseForCampaigns(&body, "template")
            let sent = content.overridden(
                priority: draft.priority, expirationSeconds: draft.expirationSeconds, collapseID: draft.collapseID)
            body.refuse(try await contents.problems(ofTemplate: sent, app: app))
            reference = TemplateReference(id: template, version: version.number)
        } catch Refusal.notFound(.template) {
            body.refuse("template", "template-not-found", "is not a template of this app")
        } catch Refusal.notFound(.version) {
            body.refuse("template_version", "version-not-found", "is not a version of this template")
        }
        try body.finish()
        guard let reference, let pushType = draft.pushType else { throw APIError(problems: []) }
        return try draft.made(.template(reference), pushType)
    }

    /// Copies the template's settings, except those that the request sets.
    private mutating func takeOver(_ content: TemplateContent) {
        priority = priority ?? content.priority
        expirationSeconds = expirationSeconds ?? content.expirationSeconds
        collapseID = collapseID ?? content.collapseID
    }

    /// Call it after `finish` has found no problems.
    private func made(_ body: CampaignContent.Body, _ pushType: PushType) throws -> CampaignContent {
        guard let name else { throw APIError(problems: []) }
        var content = CampaignContent(
            name: name, body: body, pushType: pushType, priority: priority ?? pushType.defaultPriority,
            expirationSeconds: expirationSeconds ?? 86_400, collapseID: try collapseID.map { try CollapseID($0) },
            // Only alerts are resent by default: on the screen, the second copy of an alert replaces the first.
            unknownPolicy: unknownPolicy ?? (pushType == .alert ? .resend : .leave), topic: topic)
        content.options = options
        return content
    }

    private func check(_ body: inout ObjectReader, _ messageIDKey: String) {
        guard let json = payload, let pushType else { return }
        pushType.refuseForCampaigns(&body, "push_type")
        let rules = PushRules(
            pushType: pushType, priority: priority, collapseID: collapseID, messageIDKey: messageIDKey)
        let problems = rules.problems(in: json).filter { $0.severity == .error } + json.nullCharacterProblems()
        body.refuse(problems.map(\.atCampaignPath))
    }
}

extension PushType {
    /// Campaigns are sent to alert tokens, and Apple rejects pushes of other types to them.
    fileprivate func refuseForCampaigns(_ body: inout ObjectReader, _ member: String) {
        guard tokenKind(startsActivity: false) != .alert else { return }
        body.refuse(
            member, "push-type-not-for-campaigns",
            """
            must be alert or background in a campaign; \(rawValue) pushes need device tokens of another kind. Send \
            them with POST /pushes
            """)
    }
}
