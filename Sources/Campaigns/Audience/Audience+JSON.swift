public import JSON
import Notifications

extension Audience {
    enum Key: String, MemberName, CaseIterable {
        case include, exclude
    }

    /// Reads `{"include":{…},"exclude":{…}}`, both optional. Throws all problems together. References that
    /// only the database can check (attributes, campaigns, segments, topics) are not checked.
    public init(json: JSON) throws(Problems) {
        try self.init(json: json, AudienceReader(limits: .written))
    }

    init(json: JSON, _ reader: AudienceReader) throws(Problems) {
        var reader = reader
        self = reader.audience(json)
        guard reader.problems.isEmpty else { throw Problems(reader.problems) }
    }

    /// The form that `init(json:)` reads.
    public var json: JSON {
        var members: [JSON.Member] = []
        if let include { members.append(JSON.Member(Key.include.rawValue, include.json)) }
        if let exclude { members.append(JSON.Member(Key.exclude.rawValue, exclude.json)) }
        return .object(members)
    }
}

extension AudienceCondition {
    /// The member that sets the kind of a condition.
    enum Kind: String, MemberName, CaseIterable {
        case all, any, not, field, attribute, tag
        case optedOut = "opted_out"
        case userIDs = "user_ids"
        case segment, event, outcome
        case eventName = "event_name"

        /// The members that can be combined with it.
        var companions: [String] {
            switch self {
            case .all, .any, .not, .tag, .optedOut, .userIDs, .segment: []
            case .field, .attribute: [Companion.op, Companion.value]
            case .event:
                [
                    Companion.campaign, Companion.run, Companion.variant, Companion.withinDays, Companion.action,
                ]
            case .outcome: [Companion.campaign, Companion.run, Companion.variant, Companion.without]
            case .eventName: [Companion.atLeast, Companion.withinDays, Companion.where]
            }
        }
    }

    enum Companion {
        static let op = "op"
        static let value = "value"
        static let campaign = "campaign"
        static let run = "run"
        static let variant = "variant"
        static let without = "without"
        static let withinDays = "within_days"
        static let action = "action"
        static let atLeast = "at_least"
        static let `where` = "where"
    }

    public var json: JSON {
        switch self {
        case .all(let conditions): Self.json(.all, .array(conditions.map(\.json)))
        case .any(let conditions): Self.json(.any, .array(conditions.map(\.json)))
        case .not(let condition): Self.json(.not, condition.json)
        case .field(let field, let test): Self.json(.field, .string(field.rawValue), test.members)
        case .attribute(let path, let test): Self.json(.attribute, .string(path.description), test.members)
        case .tag(let tag): Self.json(.tag, .string(tag))
        case .optedOut(let optOut): Self.json(.optedOut, .string(optOut.text))
        case .userIDs(let ids): Self.json(.userIDs, .array(ids.map { .string($0) }))
        case .segment(let id): Self.json(.segment, .string(id.description))
        case .event(let event): Self.json(.event, .string(event.kind.name), event.members)
        case .outcome(let outcome): Self.json(.outcome, .string(outcome.kind.rawValue), outcome.members)
        case .customEvent(let event): Self.json(.eventName, .string(event.name), event.members)
        }
    }

    private static func json(_ kind: Kind, _ value: JSON, _ companions: [JSON.Member] = []) -> JSON {
        .object([JSON.Member(kind.rawValue, value)] + companions)
    }
}

extension AudienceTest {
    var members: [JSON.Member] {
        [JSON.Member(AudienceCondition.Companion.op, .string(`operator`.rawValue))]
            + (value.map { [JSON.Member(AudienceCondition.Companion.value, $0)] } ?? [])
    }
}

extension AudienceEvent {
    fileprivate var members: [JSON.Member] {
        var members: [JSON.Member] = []
        typealias Companion = AudienceCondition.Companion
        if let campaign { members.append(JSON.Member(Companion.campaign, .string(campaign.description))) }
        members += Companion.sending(run: run, variant: variant)
        if let withinDays { members.append(JSON.Member(Companion.withinDays, .number(JSON.Number(withinDays)))) }
        if let action { members.append(JSON.Member(Companion.action, .string(action))) }
        return members
    }
}
