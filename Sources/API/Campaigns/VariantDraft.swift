import Application
import Campaigns
import Experiments
import JSON
import Notifications
import Store

/// One content of a campaign as a request gives it: a payload, an own content or a template.
struct VariantDraft {
    var name: String
    /// Thousandths; nil: not given.
    var weight: Int?
    private(set) var payload: JSON?
    private(set) var content: TemplateContent?
    private(set) var template: Template.ID?
    /// Nil means the newest version at the time of saving, which the campaign then keeps.
    private(set) var templateVersion: Int?
    /// Whether the request names the template. Its settings are copied then, and can be changed afterwards.
    private(set) var namesTemplate = false

    /// Without a content.
    init(name: String) {
        self.name = name
    }

    init(_ variant: CampaignVariant, weight: Int) throws {
        name = variant.name
        self.weight = weight
        payload = try variant.body.payload.map { try JSON(parsing: $0) }
        content = try variant.body.content.map { try TemplateContent(ownJSON: try JSON(parsing: $0)) }
        template = variant.body.template?.id
        templateVersion = variant.body.template?.version
    }

    /// Reads a payload, an own content or a template; two of them together are a problem.
    mutating func readContent(_ body: inout ObjectReader) {
        namesTemplate = body.has("template") || body.has("template_version")
        let given = ["payload", "content"].filter { body.has($0) } + (namesTemplate ? ["template"] : [])
        for (member, other) in zip(given, given.dropFirst()) {
            body.refuse(member, "mutually-exclusive", "can't be combined with `\(other)`")
        }
        if let json = body.take("payload") {
            (payload, content, template) = (json, nil, nil)
        }
        if body.has("content") {
            (payload, content, template) = (nil, body.content("content", as: TemplateContent.init(ownJSON:)), nil)
        }
        if namesTemplate {
            template = body.id("template") ?? template
            // Naming the template again selects its newest version.
            templateVersion = body.whole("template_version", in: 1...Int(Int32.max))
            if template == nil, body.problems.isEmpty { body.refuse("template", "missing", "is required") }
            (payload, content) = (nil, nil)
        }
    }

    /// A version of a template that the campaign has already: its settings are not copied again.
    func keepingSettings(of before: [VariantDraft]) -> VariantDraft {
        guard templateVersion != nil,
            before.contains(where: { $0.template == template && $0.templateVersion == templateVersion })
        else { return self }
        var draft = self
        draft.namesTemplate = false
        return draft
    }

    /// Reads a member of a list of variants.
    static func member(_ index: Int, _ body: inout ObjectReader) -> VariantDraft {
        var draft = VariantDraft(name: CampaignVariant.standardName(index))
        draft.name = body.text("name", length: 1...CampaignVariant.maximumNameLength) ?? draft.name
        draft.weight = body.whole("weight", in: 0...VariantMap.bucketCount)
        draft.readContent(&body)
        if draft.payload == nil, draft.content == nil, draft.template == nil, body.isValid { body.refuseNoContent() }
        body.refuseRest()
        return draft
    }
}

extension ObjectReader {
    mutating func refuseNoContent() {
        refuse("payload", "missing", "is required, or `content`, or a `template`")
    }

    /// The variants of an A/B test, with names of their own and weights that add up; nil if the member is absent or there
    /// is a problem.
    mutating func variants(_ key: String) -> [VariantDraft]? {
        guard let json = take(key) else { return nil }
        guard case .array(let elements) = json, (2...VariantMap.maximumVariants).contains(elements.count) else {
            refuse(key, "wrong-type", "must be a list of 2 to \(VariantMap.maximumVariants) variants, or null")
            return nil
        }
        var variants: [VariantDraft] = []
        for (index, element) in elements.enumerated() {
            let path = ProblemPath.element(index, of: key)
            guard case .object(let members) = element else {
                refuse(
                    at: path, "wrong-type",
                    "must be an object with a name, a weight, and a payload, content or template")
                continue
            }
            variants.append(object(at: path, members) { VariantDraft.member(index, &$0) })
        }
        guard variants.count == elements.count, isValid else { return nil }
        checkNames(of: variants, key)
        checkWeights(of: &variants, key)
        return isValid ? variants : nil
    }

    private mutating func checkNames(of variants: [VariantDraft], _ key: String) {
        for (index, variant) in variants.enumerated()
        where variants[..<index].contains(where: { $0.name == variant.name }) {
            refuse(
                at: ProblemPath.member("name", of: ProblemPath.element(index, of: key)), "name-taken",
                "is the name of an earlier variant, too; give each its own")
        }
    }

    /// Without any weight, all are equal.
    private mutating func checkWeights(of variants: inout [VariantDraft], _ key: String) {
        let given = variants.compactMap(\.weight)
        if given.isEmpty {
            for (index, weight) in VariantMap.equalWeights(variants.count).enumerated() {
                variants[index].weight = weight
            }
        } else if let index = variants.firstIndex(where: { $0.weight == nil }) {
            refuse(
                at: ProblemPath.member("weight", of: ProblemPath.element(index, of: key)), "missing",
                "is required, because other variants have a weight; leave out all for equal ones")
        } else if given.reduce(0, +) != VariantMap.bucketCount {
            refuse(
                key, "weights-sum",
                "must have weights that add up to \(VariantMap.bucketCount) thousandths, not to \(given.reduce(0, +))")
        }
    }
}
