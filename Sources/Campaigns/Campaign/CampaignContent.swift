import Experiments
public import Notifications

/// The editable part of a campaign, already validated (`PushRules`, `AudienceCheck`). The options are members, too.
@dynamicMemberLookup
public struct CampaignContent: Hashable, Sendable {
    /// Characters.
    public static let maximumNameLength = 200
    public static let maximumTags = 20
    /// Characters of a tag.
    public static let tagLengths = 1...50
    /// 30 days, in seconds: Apple stores a push no longer.
    public static let maximumExpirationSeconds = 2_592_000

    public var name: String
    /// Words by which people find the campaign, like its name no part of what is sent. Each once.
    public var tags: [String] = []
    /// At least one; several are an A/B test.
    public var variants: [CampaignVariant]
    /// Of the variants, in thousandths; `[1000]` without a test.
    public var weights = [VariantMap.bucketCount]
    public var pushType: PushType
    public var priority: Priority
    /// The time for which a push is worth delivering, in seconds; 0 is now or never.
    public var expirationSeconds: Int
    /// Nil: Belfry sets one per run.
    public var collapseID: CollapseID?
    public var unknownPolicy: UnknownPolicy
    /// Recipients who opted out of the topic are skipped.
    public var topic: TopicKey?
    public var options = CampaignOptions()

    public enum Body: Hashable, Sendable {
        /// A JSON object as text, with its keys' order and its numbers' digits. It is sent unchanged.
        case payload(String)
        /// The campaign's own text with languages and Liquid, as JSON text: see `TemplateContent.ownJSON`.
        case content(String)
        /// A fixed version, regardless of later changes to the template.
        case template(TemplateReference)

        public var payload: String? { if case .payload(let payload) = self { payload } else { nil } }
        public var content: String? { if case .content(let content) = self { content } else { nil } }
        public var template: TemplateReference? { if case .template(let template) = self { template } else { nil } }
    }

    public subscript<Option>(dynamicMember option: WritableKeyPath<CampaignOptions, Option>) -> Option {
        get { options[keyPath: option] }
        set { options[keyPath: option] = newValue }
    }

    public var isTest: Bool { variants.count > 1 }
    /// Whether times are compared: everybody gets the same text at the best time, except for two small groups. In a test
    /// of texts, all get them at their best time.
    public var testsTimes: Bool { !isTest && options.schedule?.isAtBestTime ?? false }
    /// What is compared, by name: texts or times; empty without a test.
    public var comparedNames: [String] {
        isTest ? variants.map(\.name) : testsTimes ? TimeGroup.allCases.map(\.name) : []
    }
    /// The content of all recipients; nil in a test.
    public var body: Body? { isTest ? nil : variants.first?.body }

    /// The time that people have to reach a goal, in seconds, from when the push is due.
    public func seconds(for goal: CampaignGoal) -> Int { options.winner?.seconds(for: goal) ?? goal.seconds }

    /// One content for all recipients, without a test.
    public mutating func setBody(_ body: Body) {
        variants = [CampaignVariant(name: CampaignVariant.standardName(0), body: body)]
        weights = [VariantMap.bucketCount]
    }

    public init(
        name: String, payload: String, pushType: PushType = .alert, priority: Priority = .immediate,
        expirationSeconds: Int = 86_400, collapseID: CollapseID? = nil, unknownPolicy: UnknownPolicy = .resend,
        topic: TopicKey? = nil
    ) {
        self.init(
            name: name, body: .payload(payload), pushType: pushType, priority: priority,
            expirationSeconds: expirationSeconds, collapseID: collapseID, unknownPolicy: unknownPolicy, topic: topic)
    }

    public init(
        name: String, body: Body, pushType: PushType = .alert, priority: Priority = .immediate,
        expirationSeconds: Int = 86_400, collapseID: CollapseID? = nil, unknownPolicy: UnknownPolicy = .resend,
        topic: TopicKey? = nil
    ) {
        self.init(
            name: name, variants: [CampaignVariant(name: CampaignVariant.standardName(0), body: body)],
            pushType: pushType, priority: priority, expirationSeconds: expirationSeconds, collapseID: collapseID,
            unknownPolicy: unknownPolicy, topic: topic)
    }

    public init(
        name: String, variants: [CampaignVariant], pushType: PushType = .alert, priority: Priority = .immediate,
        expirationSeconds: Int = 86_400, collapseID: CollapseID? = nil, unknownPolicy: UnknownPolicy = .resend,
        topic: TopicKey? = nil
    ) {
        self.name = name
        self.variants = variants
        self.pushType = pushType
        self.priority = priority
        self.expirationSeconds = expirationSeconds
        self.collapseID = collapseID
        self.unknownPolicy = unknownPolicy
        self.topic = topic
    }
}
