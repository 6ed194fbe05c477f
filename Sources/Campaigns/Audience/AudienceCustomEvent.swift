import JSON
import Notifications

/// The person has done something in the app at least so often in the last days: a custom event.
public struct AudienceCustomEvent: Hashable, Sendable {
    /// A test of one of the event's properties.
    public struct Property: Hashable, Sendable {
        public let name: String
        public let test: AudienceTest

        public init(_ name: String, _ test: AudienceTest) {
            self.name = name
            self.test = test
        }
    }

    public static let counts = 1...1_000
    public static let days = 1...365
    /// Bytes of a name, and of a property's name.
    public static let maximumNameLength = 100
    public static let maximumProperties = 10

    public var name: String
    public var atLeast: Int
    /// Days of 24 hours back from now.
    public var withinDays: Int
    /// An event counts if it passes all tests.
    public var properties: [Property]

    public init(_ name: String, atLeast: Int = 1, withinDays: Int, where properties: [Property] = []) {
        self.name = name
        self.atLeast = atLeast
        self.withinDays = withinDays
        self.properties = properties
    }
}

extension AudienceCustomEvent {
    var members: [JSON.Member] {
        typealias Companion = AudienceCondition.Companion
        var members: [JSON.Member] = []
        if atLeast > 1 { members.append(JSON.Member(Companion.atLeast, .number(JSON.Number(atLeast)))) }
        members.append(JSON.Member(Companion.withinDays, .number(JSON.Number(withinDays))))
        if !properties.isEmpty {
            members.append(
                JSON.Member(Companion.where, .object(properties.map { JSON.Member($0.name, $0.test.short) })))
        }
        return members
    }

    /// "did purchase at least 2 times in the last 30 days where plan is pro".
    var summary: String {
        let often = atLeast == 1 ? "" : " at least \(atLeast) times"
        let tests = properties.map { "\(AttributePath(names: [$0.name])) \($0.test.label)" }
        return "did \(name.quoted)\(often) in the last \(withinDays.days)"
            + (tests.isEmpty ? "" : " where \(tests.joined(separator: " and "))")
    }
}

extension AudienceTest {
    /// The value alone, if it must be equal.
    fileprivate var short: JSON {
        if `operator` == .is, let value { value } else { .object(members) }
    }
}

/// Reads conditions about custom events.
extension AudienceReader {
    private typealias Companion = AudienceCondition.Companion

    /// The operators for properties, which are texts, numbers and flags.
    private static let operators: Set<AudienceOperator> = [
        .is, .isNot, .in, .notIn, .startsWith, .contains, .atLeast, .below, .above, .atMost, .exists,
    ]

    mutating func customEvent(_ json: JSON, _ members: [JSON.Member], at path: String) -> AudienceCondition? {
        let namePath = ProblemPath.member(AudienceCondition.Kind.eventName.rawValue, of: path)
        let name = composedText(json, at: namePath, length: 1...AudienceCustomEvent.maximumNameLength)
        let daysPath = ProblemPath.member(Companion.withinDays, of: path)
        guard let days = members.first(where: { $0.key == Companion.withinDays })?.value else {
            let range = AudienceCustomEvent.days
            return refuse(
                daysPath, "missing",
                "is required: a whole number of days from \(range.lowerBound) to \(range.upperBound)")
        }
        let withinDays = whole(days, at: daysPath, in: AudienceCustomEvent.days)
        var atLeast: Int? = 1
        if let count = members.first(where: { $0.key == Companion.atLeast })?.value {
            atLeast = whole(
                count, at: ProblemPath.member(Companion.atLeast, of: path), in: AudienceCustomEvent.counts)
        }
        var tests: [AudienceCustomEvent.Property]? = []
        if let properties = members.first(where: { $0.key == Companion.where })?.value {
            tests = self.properties(properties, at: ProblemPath.member(Companion.where, of: path))
        }
        guard let name, let withinDays, let atLeast, let tests else { return nil }
        return .customEvent(AudienceCustomEvent(name, atLeast: atLeast, withinDays: withinDays, where: tests))
    }

    private mutating func properties(_ json: JSON, at path: String) -> [AudienceCustomEvent.Property]? {
        guard case .object(let members) = json else {
            return refuse(path, "wrong-type", "must be an object, like {\"plan\":\"pro\"}, not \(json.summary)")
        }
        guard members.count <= AudienceCustomEvent.maximumProperties else {
            return refuse(
                path, "too-many",
                "must have at most \(AudienceCustomEvent.maximumProperties) properties, not \(members.count)")
        }
        let properties = members.compactMap { member in property(member, at: ProblemPath.member(member.key, of: path)) }
        return properties.count == members.count ? properties : nil
    }

    /// A value that the property must be equal to, or an object with operator and value.
    private mutating func property(_ member: JSON.Member, at path: String) -> AudienceCustomEvent.Property? {
        guard composedText(.string(member.key), at: path, length: 1...AudienceCustomEvent.maximumNameLength) != nil
        else { return nil }
        var test: AudienceTest?
        if case .object(let members) = member.value {
            for other in members where other.key != Companion.op && other.key != Companion.value {
                unknown(other.key, in: path, among: [Companion.op, Companion.value])
            }
            test = self.test(of: .json, named: "a property", members, at: path)
        } else {
            test = attributeIs(member.value, at: path)
        }
        guard let test else { return nil }
        guard Self.operators.contains(test.operator) else {
            let names = AudienceOperator.allCases.filter(Self.operators.contains).map(\.rawValue)
            return refuse(
                ProblemPath.member(Companion.op, of: path), "unknown-op",
                "must be \(names.alternatives) for a property, not \(JSON.string(test.operator.rawValue).summary)")
        }
        return AudienceCustomEvent.Property(member.key.composed, test)
    }
}
