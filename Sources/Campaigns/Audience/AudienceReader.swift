import JSON
import Notifications

/// Reads conditions and collects their problems. An invalid condition returns nil and adds a problem at its path.
struct AudienceReader {
    let limits: Limits
    private(set) var problems: [Problem] = []
    private var conditions = 0
    private var userIDs = 0

    struct Limits {
        let conditions: Int
        let depth: Int
        let userIDs: Int
        /// False for the audience of a run, in which segments are inlined.
        let hasSegments: Bool

        static let written = Limits(
            conditions: Audience.maximumConditions, depth: Audience.maximumDepth, userIDs: Audience.maximumUserIDs,
            hasSegments: true)
        static let resolved = Limits(
            conditions: ResolvedAudience.maximumConditions, depth: ResolvedAudience.maximumDepth,
            userIDs: ResolvedAudience.maximumUserIDs, hasSegments: false)
    }

    init(limits: Limits) {
        self.limits = limits
    }

    mutating func audience(_ json: JSON) -> Audience {
        guard case .object(let members) = json else {
            refuse("", "wrong-type", "an audience must be an object, like {\"include\":{…}}, not \(json.summary)")
            return .everybody
        }
        var audience = Audience()
        for member in members where member.value != .null {
            switch Audience.Key(rawValue: member.key) {
            case .include: audience.include = condition(member.value, at: member.key, depth: 1)
            case .exclude: audience.exclude = condition(member.value, at: member.key, depth: 1)
            case nil: unknown(member.key, in: "", among: Audience.Key.allCases.map(\.rawValue))
            }
        }
        return audience
    }

    /// `depth` counts this one.
    mutating func condition(_ json: JSON, at path: String, depth: Int) -> AudienceCondition? {
        guard case .object(let all) = json else {
            return refuse(path, "wrong-type", "must be a condition, like {\"tag\":\"vip\"}, not \(json.summary)")
        }
        conditions += 1
        // Reported once, not for each further condition.
        if conditions == limits.conditions + 1 {
            refuse(path, "too-many-conditions", "exceeds the limit of \(limits.conditions) conditions per audience")
        }
        guard conditions <= limits.conditions else { return nil }
        guard depth <= limits.depth else {
            return refuse(path, "too-deep", "must not be nested more than \(limits.depth) conditions deep")
        }
        let members = all.filter { $0.value != .null }
        let kinds = members.compactMap { AudienceCondition.Kind(rawValue: $0.key) }
        guard let kind = kinds.first, let value = members.first(where: { $0.key == kind.rawValue })?.value else {
            return noKind(members, at: path)
        }
        for member in members where member.key != kind.rawValue && !kind.companions.contains(member.key) {
            if AudienceCondition.Kind(rawValue: member.key) != nil {
                let memberPath = ProblemPath.member(member.key, of: path)
                refuse(
                    memberPath, "multiple-conditions",
                    "can't be combined with \(kind.rawValue); put both into {\"all\":[…]} or {\"any\":[…]}")
            } else {
                unknown(member.key, in: path, among: kind.companions)
            }
        }
        let memberPath = ProblemPath.member(kind.rawValue, of: path)
        switch kind {
        case .all: return group(value, at: memberPath, depth: depth).map { .all($0) }
        case .any: return group(value, at: memberPath, depth: depth).map { .any($0) }
        case .not: return condition(value, at: memberPath, depth: depth + 1).map { .not($0) }
        case .field: return field(value, members, at: path)
        case .attribute: return attribute(value, members, at: path)
        case .event: return event(value, members, at: path)
        case .outcome: return outcome(value, members, at: path)
        case .eventName: return customEvent(value, members, at: path)
        case .tag:
            return composedText(value, at: memberPath, length: 1...AudienceCondition.maximumTagLength).map { .tag($0) }
        case .optedOut:
            return checked(value, at: memberPath) { (text) throws(InvalidValue) in .optedOut(try OptOut(text)) }
        case .userIDs: return listedUserIDs(value, at: memberPath).map { .userIDs($0) }
        case .segment: return segment(value, at: memberPath)
        }
    }

    private mutating func noKind(_ members: [JSON.Member], at path: String) -> AudienceCondition? {
        let kinds = AudienceCondition.Kind.allCases.map(\.rawValue)
        for member in members {
            guard let meant = Spelling.nearest(to: member.key, among: kinds) else { continue }
            return refuse(
                ProblemPath.member(member.key, of: path), "unknown-field",
                "is an unknown field\(Spelling.suggestion(meant))")
        }
        return refuse(path, "no-condition", "must contain one of the members \(kinds.alternatives)")
    }

    private mutating func group(_ json: JSON, at path: String, depth: Int) -> [AudienceCondition]? {
        guard case .array(let elements) = json else {
            return refuse(path, "wrong-type", "must be a list of conditions, not \(json.summary)")
        }
        guard !elements.isEmpty else { return refuse(path, "empty", "must contain at least one condition") }
        return elements.enumerated().compactMap { index, element in
            condition(element, at: ProblemPath.element(index, of: path), depth: depth + 1)
        }
    }

    private mutating func listedUserIDs(_ json: JSON, at path: String) -> [String]? {
        guard let ids = texts(json, at: path, length: AudienceCondition.userIDLengths, most: nil) else { return nil }
        userIDs += ids.count
        guard userIDs <= limits.userIDs else {
            return refuse(
                path, "too-many", "exceeds the limit of \(limits.userIDs) user ids per audience; there are \(userIDs)")
        }
        return ids
    }

    private mutating func segment(_ json: JSON, at path: String) -> AudienceCondition? {
        guard limits.hasSegments else {
            return refuse(
                path, "segment",
                "is not allowed: a run's audience contains the conditions of its segments instead")
        }
        return id(json, at: path, of: "segment").map { .segment($0) }
    }

    // MARK: Problems

    @discardableResult
    mutating func refuse<Value>(_ path: String, _ code: String, _ message: Message, _: Value.Type = Value.self)
        -> Value?
    {
        problems.append(.error(path, code, message))
        return nil
    }

    mutating func refuse(_ path: String, _ code: String, _ message: Message) {
        problems.append(.error(path, code, message))
    }

    mutating func unknown(_ key: String, in path: String, among known: [String]) {
        let suggestion = Spelling.suggestion(for: key, among: known)
        refuse(ProblemPath.member(key, of: path), "unknown-field", "is an unknown field\(suggestion)")
    }
}

extension AudienceCondition {
    /// In bytes, as for values of devices.
    static let maximumTagLength = 64
    static let userIDLengths = 1...200
}
