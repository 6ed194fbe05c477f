import Application
import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// A campaign's content while it is read and checked: everything is looked at before anything is refused.
struct CampaignDraft {
    private var name: String?
    private var payload: JSON?
    private var template: Template.ID?
    /// Nil: the newest when it is saved, which then stays the campaign's.
    private var templateVersion: Int?
    /// What the template says is taken over once, when it is named, and can then be changed.
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
        options = CampaignOptions(content)
    }

    /// What the body holds replaces what is there; null clears where that means something.
    /// `zones` are the names of time zones that are known here.
    mutating func read(_ body: inout ObjectReader, zones: Set<String>) {
        name = body.text("name", length: 1...CampaignContent.maximumNameLength) ?? name
        readContent(&body)
        if body.has("push_type") { pushType = body.choice("push_type", among: PushType.allCases) }
        if body.takeNull("priority") { priority = nil }
        priority = body.priority("priority") ?? priority
        expirationSeconds =
            body.whole("expiration_seconds", in: 0...CampaignContent.maximumExpirationSeconds) ?? expirationSeconds
        if body.takeNull("collapse_id") { collapseID = nil }
        // Its rules are among the payload's.
        collapseID = body.text("collapse_id", length: 0...1_024) ?? collapseID
        if body.takeNull("unknown_policy") { unknownPolicy = nil }
        unknownPolicy = body.choice("unknown_policy", among: [UnknownPolicy.resend, .leave]) ?? unknownPolicy
        if body.takeNull("topic") { topic = nil }
        topic = body.value("topic") { (text) throws(InvalidValue) in try TopicKey(text) } ?? topic
        options.read(&body, zones: zones)
    }

    /// A payload of its own or a template, and never both.
    private mutating func readContent(_ body: inout ObjectReader) {
        namesTemplate = body.has("template") || body.has("template_version")
        if let json = body.take("payload") {
            if namesTemplate { body.refuse("payload", "one-too-many", "must not stand beside a template") }
            payload = json
            template = nil
        }
        if namesTemplate {
            template = body.id("template") ?? template
            // Naming the template again is how its newest version is taken.
            templateVersion = body.whole("template_version", in: 1...Int(Int32.max))
            if template == nil, body.problems.isEmpty { body.refuse("template", "missing", "is required") }
            payload = nil
            (pushType, priority, expirationSeconds, collapseID) = (nil, nil, nil, nil)
        }
        if template != nil, body.take("push_type") != nil {
            body.refuse("push_type", "one-too-many", "must not stand beside a template, which has its own")
        }
    }

    /// The content, if `body` and Apple's rules find nothing wrong.
    func content(
        _ body: inout ObjectReader, _ contents: Contents, _ audiences: AudienceCheck, app: AppRecord
    ) async throws -> CampaignContent {
        var checked = self
        try await checked.options.checkAudience(&body, audiences, app: app.id)
        return try await checked.content(&body, contents, app: app)
    }

    private func content(
        _ body: inout ObjectReader, _ contents: Contents, app: AppRecord
    ) async throws -> CampaignContent {
        if let template { return try await content(template, &body, contents, app.id) }
        check(&body, app.settings.messageIDKey)
        try body.finish()
        guard let payload, let pushType else { throw APIError(problems: []) }
        return try made(.payload(String(decoding: payload.encoded(), as: UTF8.self)), pushType)
    }

    private func content(
        _ template: Template.ID, _ body: inout ObjectReader, _ contents: Contents, _ app: App.ID
    ) async throws -> CampaignContent {
        var draft = self
        var reference: TemplateReference?
        do {
            let (record, version, content) = try await contents.stored(template, app: app, version: templateVersion)
            if namesTemplate, record.archivedAt != nil {
                body.refuse("template", "template-archived", "is archived; take it out of the archive first")
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

    /// What the request says itself stands over the template's.
    private mutating func takeOver(_ content: TemplateContent) {
        priority = priority ?? content.priority
        expirationSeconds = expirationSeconds ?? content.expirationSeconds
        collapseID = collapseID ?? content.collapseID
    }

    /// After `finish` has found nothing wrong.
    private func made(_ body: CampaignContent.Body, _ pushType: PushType) throws -> CampaignContent {
        guard let name else { throw APIError(problems: []) }
        var content = CampaignContent(
            name: name, body: body, pushType: pushType, priority: priority ?? pushType.defaultPriority,
            expirationSeconds: expirationSeconds ?? 86_400, collapseID: try collapseID.map { try CollapseID($0) },
            // Only an alert is replaced on the screen by its second copy.
            unknownPolicy: unknownPolicy ?? (pushType == .alert ? .resend : .leave), topic: topic)
        options.apply(to: &content)
        return content
    }

    private func check(_ body: inout ObjectReader, _ messageIDKey: String) {
        guard let json = payload, let pushType else { return }
        pushType.refuseForCampaigns(&body, "push_type")
        let rules = PushRules(
            pushType: pushType, priority: priority, collapseID: collapseID, messageIDKey: messageIDKey)
        let problems = rules.problems(in: json).filter { $0.severity == .error } + json.nullCharacterProblems()
        body.refuse(problems.map(\.ofCampaign))
    }
}

extension PushType {
    /// Campaigns go to the tokens that apps have for alerts; Apple would refuse others for each of them.
    fileprivate func refuseForCampaigns(_ body: inout ObjectReader, _ member: String) {
        guard tokenKind(startsActivity: false) != .alert else { return }
        body.refuse(
            member, "push-type-not-for-campaigns",
            """
            is for \(rawValue) pushes, which go to tokens of their own kind: campaigns reach the tokens for alerts, with \
            alert or background pushes. Send it with POST /pushes
            """)
    }
}
