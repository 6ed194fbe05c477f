import Application
import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// Reads and checks a campaign's content. All problems are collected before any is reported.
struct CampaignDraft {
    private var name: String?
    private var tags: [String] = []
    /// At least one; several are an A/B test.
    private var variants = [VariantDraft(name: CampaignVariant.standardName(0))]
    private var isTest: Bool { variants.count > 1 }
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
        tags = content.tags
        variants = try zip(content.variants, content.weights).map { try VariantDraft($0, weight: $1) }
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
        tags = body.campaignTags("tags") ?? tags
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

    /// Reads one content or the variants of a test; both together are a problem. Null ends the test: the first variant's
    /// content stays, unless the body has another.
    private mutating func readContent(_ body: inout ObjectReader) {
        let members = ["payload", "content", "template", "template_version"].filter { body.has($0) }
        if body.takeNull("variants") {
            variants = [variants[0]]
            options.winner = nil
        } else if body.has("variants") {
            for member in members {
                body.refuse(member, "mutually-exclusive", "can't be combined with `variants`, which have their own")
                _ = body.take(member)
            }
            variants = body.variants("variants")?.map { $0.keepingSettings(of: variants) } ?? variants
        } else if isTest {
            for member in members {
                body.refuse(
                    member, "mutually-exclusive",
                    "can't be set, because the campaign has variants; change `variants`, or set them to null")
                _ = body.take(member)
            }
        }
        if !isTest { variants[0].readContent(&body) }
        if variants.contains(where: \.namesTemplate) {
            (pushType, priority, expirationSeconds, collapseID) = (nil, nil, nil, nil)
        }
        if variants.contains(where: { $0.template != nil }), body.take("push_type") != nil {
            body.refuse(
                "push_type", "mutually-exclusive", "can't be combined with `template`, which has its own push type")
        }
    }

    /// The content, if neither `body` nor Apple's rules have found a problem.
    func content(
        _ body: inout ObjectReader, _ contents: ContentLoader, _ audiences: AudienceCheck, app: AppRecord
    ) async throws -> CampaignContent {
        checkWinner(&body)
        var checked = self
        try await checked.options.checkReferences(&body, audiences, app: app.id)
        return try await checked.content(&body, contents, app: app)
    }

    private func checkWinner(_ body: inout ObjectReader) {
        guard options.winner != nil else { return }
        if !isTest {
            body.refuse(
                at: "winner", "winner-without-variants",
                "needs `variants`: a campaign with one content has nothing to test; or leave it out")
        }
        if options.schedule?.isRepeated ?? false {
            body.refuse(
                at: "winner", "winner-of-repeated",
                """
                needs a campaign that is sent once; for a recurring or triggered one, leave it out, and give the better \
                variant more weight by hand
                """)
        }
    }

    private func content(
        _ body: inout ObjectReader, _ contents: ContentLoader, app: AppRecord
    ) async throws -> CampaignContent {
        var draft = self
        let templates = try await draft.readTemplates(&body, contents, app.id)
        var bodies: [CampaignContent.Body?] = []
        for (index, variant) in variants.enumerated() {
            if let found = templates[index] {
                bodies.append(try await draft.check(found, at: path(index), &body, contents, app.id))
            } else if let content = variant.content {
                bodies.append(try await draft.check(content, at: path(index), &body, contents, app.id))
            } else {
                bodies.append(draft.check(variant.payload, at: path(index), &body, app.settings.messageIDKey))
            }
        }
        try body.finish()
        guard let pushType = draft.pushType else { throw APIError(problems: []) }
        let found = bodies.compactMap { $0 }
        guard found.count == variants.count else { throw APIError(problems: []) }
        return try draft.made(found, pushType)
    }

    /// The path of a variant's content; empty for the only one.
    private func path(_ index: Int) -> String { isTest ? ProblemPath.element(index, of: "variants") : "" }

    // MARK: Templates

    private struct FoundTemplate {
        let reference: TemplateReference
        let content: TemplateContent
    }

    /// The templates of the variants, by their places. Takes over the settings of the first that the request names, and
    /// the push type, which they must have in common.
    private mutating func readTemplates(
        _ body: inout ObjectReader, _ contents: ContentLoader, _ app: App.ID
    ) async throws -> [Int: FoundTemplate] {
        var found: [Int: FoundTemplate] = [:]
        for (index, variant) in variants.enumerated() {
            guard let template = variant.template else { continue }
            let path = path(index)
            func member(_ name: String) -> String { ProblemPath.member(name, of: path) }
            do {
                let (record, version, content) = try await contents.stored(
                    template, app: app, version: variant.templateVersion)
                if variant.namesTemplate, record.archivedAt != nil {
                    body.refuse(at: member("template"), "template-archived", "is archived; unarchive it first")
                }
                if found.isEmpty {
                    if variant.namesTemplate { takeOver(content) }
                    pushType = content.pushType
                } else if content.pushType != pushType {
                    body.refuse(
                        at: member("template"), "push-types-differ",
                        "has the push type \(content.pushType.rawValue), and another variant has \(pushType?.rawValue ?? ""); "
                            + "all variants of a campaign have the same")
                }
                found[index] = FoundTemplate(
                    reference: TemplateReference(id: template, version: version.number), content: content)
            } catch Refusal.notFound(.template) {
                body.refuse(at: member("template"), "template-not-found", "is not a template of this app")
            } catch Refusal.notFound(.version) {
                body.refuse(at: member("template_version"), "version-not-found", "is not a version of this template")
            }
        }
        return found
    }

    private func check(
        _ template: FoundTemplate, at path: String, _ body: inout ObjectReader, _ contents: ContentLoader, _ app: App.ID
    ) async throws -> CampaignContent.Body {
        template.content.pushType.refuseForCampaigns(&body, ProblemPath.member("template", of: path))
        let sent = template.content.overridden(
            priority: priority, expirationSeconds: expirationSeconds, collapseID: collapseID)
        let problems = try await contents.problems(of: sent, at: "template", app: app)
        body.refuse(problems.map { $0.ofVariant(at: path) })
        return .template(template.reference)
    }

    private func check(
        _ content: TemplateContent, at path: String, _ body: inout ObjectReader, _ contents: ContentLoader,
        _ app: App.ID
    ) async throws -> CampaignContent.Body? {
        guard let pushType else { return nil }
        pushType.refuseForCampaigns(&body, "push_type")
        var sent = content.overridden(
            priority: priority, expirationSeconds: expirationSeconds, collapseID: collapseID)
        sent.pushType = pushType
        let problems = try await contents.problems(of: sent, at: "content", app: app)
        body.refuse(problems.map { $0.ofVariant(at: path) })
        return .content(String(decoding: content.ownJSON.encoded(), as: UTF8.self))
    }

    /// Copies the template's settings, except those that the request sets.
    private mutating func takeOver(_ content: TemplateContent) {
        priority = priority ?? content.priority
        expirationSeconds = expirationSeconds ?? content.expirationSeconds
        collapseID = collapseID ?? content.collapseID
    }

    /// Call it after `finish` has found no problems.
    private func made(_ bodies: [CampaignContent.Body], _ pushType: PushType) throws -> CampaignContent {
        guard let name, let first = bodies.first else { throw APIError(problems: []) }
        var content = CampaignContent(
            name: name, body: first, pushType: pushType, priority: priority ?? pushType.defaultPriority,
            expirationSeconds: expirationSeconds ?? 86_400, collapseID: try collapseID.map { try CollapseID($0) },
            // Only alerts are resent by default: on the screen, the second copy of an alert replaces the first.
            unknownPolicy: unknownPolicy ?? (pushType == .alert ? .resend : .leave), topic: topic)
        content.tags = tags
        content.options = options
        if isTest {
            content.variants = zip(variants, bodies).map { CampaignVariant(name: $0.name, body: $1) }
            content.weights = variants.compactMap(\.weight)
        }
        return content
    }

    private func check(
        _ payload: JSON?, at path: String, _ body: inout ObjectReader, _ messageIDKey: String
    ) -> CampaignContent.Body? {
        guard let payload, let pushType else { return nil }
        pushType.refuseForCampaigns(&body, "push_type")
        let rules = PushRules(
            pushType: pushType, priority: priority, collapseID: collapseID, messageIDKey: messageIDKey)
        let problems = rules.problems(in: payload).filter { $0.severity == .error } + payload.nullCharacterProblems()
        body.refuse(problems.map { $0.atCampaignPath.ofVariant(at: path) })
        return .payload(String(decoding: payload.encoded(), as: UTF8.self))
    }
}

extension ObjectReader {
    /// The tags, if the body changes nothing else; nil otherwise, and after a problem.
    var onlyTags: [String]? {
        mutating get {
            guard rest.map(\.key) == ["tags"], !rest.contains(where: { $0.value == .null }) else { return nil }
            return campaignTags("tags") ?? []
        }
    }

    /// Each once, without white space around them.
    fileprivate mutating func campaignTags(_ key: String) -> [String]? {
        let tags = values(key) { (text) throws(InvalidValue) -> String in
            let tag = text.trimmingSpaces.composed
            guard CampaignContent.tagLengths ~= tag.unicodeScalars.count else {
                throw InvalidValue(
                    tag.isEmpty ? "empty" : "too-long",
                    "must have 1 to \(CampaignContent.tagLengths.upperBound) characters")
            }
            if let problem = NameText.problem(tag) { throw InvalidValue(problem.code, problem.message) }
            return tag
        }
        guard let tags else { return nil }
        var distinct: [String] = []
        for tag in tags where !distinct.contains(tag) { distinct.append(tag) }
        if distinct.count > CampaignContent.maximumTags {
            refuse(
                key, "too-many", "must have at most \(CampaignContent.maximumTags) tags, not \(distinct.count)")
        }
        return distinct
    }
}

extension PushType {
    /// Campaigns are sent to alert tokens, and Apple rejects pushes of other types to them.
    fileprivate func refuseForCampaigns(_ body: inout ObjectReader, _ member: String) {
        guard tokenKind(startsActivity: false) != .alert else { return }
        body.refuse(
            at: member, "push-type-not-for-campaigns",
            """
            must be alert or background in a campaign; \(rawValue) pushes need device tokens of another kind. Send \
            them with POST /pushes
            """)
    }
}
