public import JSON

/// How an A/B test finds the variant that most people get: a part of the audience is sent the variants, and the rest
/// waits for the decision.
public struct WinnerRule: Hashable, Sendable {
    public enum Decision: Hashable, Sendable {
        /// So many seconds after the last push of the test was due, which is also the time that its people have to reach
        /// the goal.
        case automatic(after: Int)
        /// The same, and before it as soon as one variant is ahead of all others with high certainty.
        case whenClear(within: Int)
        /// By a person.
        case byHand
    }

    /// Which variant the rest gets if none has won.
    public enum Fallback: String, CaseIterable, Hashable, Sendable, MemberName {
        /// The one that is ahead.
        case leader
        /// The first of the campaign.
        case first
        /// A person says which; after `answerSeconds` without an answer, the one that is ahead.
        case ask
    }

    /// The part of the audience that is tested, in thousandths.
    public var share: Int
    public var decision: Decision
    public var fallback: Fallback

    public static let shareRange = 10...900
    /// In seconds: ten minutes to three days.
    public static let afterRange = 600...259_200
    public static let standardAfter = 14_400
    /// The time that a person has to answer, in seconds: a day.
    public static let answerSeconds = 86_400
    /// The time that a decision by hand can take after planning, in seconds: a week. Then the rest gets nothing.
    public static let byHandSeconds = 604_800

    public init(share: Int, decision: Decision = .automatic(after: standardAfter), fallback: Fallback = .leader) {
        (self.share, self.decision, self.fallback) = (share, decision, fallback)
    }

    /// Nil: a person decides.
    public var after: Int? {
        switch decision {
        case .automatic(let after), .whenClear(let after): after
        case .byHand: nil
        }
    }

    public var decidesWhenClear: Bool { if case .whenClear = decision { true } else { false } }

    /// The time that the test's people have to reach a goal, in seconds.
    public func seconds(for goal: CampaignGoal) -> Int { min(after ?? goal.seconds, goal.seconds) }
}

extension WinnerRule {
    private enum Key: String, MemberName {
        case share
        case decision
        case after = "after_seconds"
        case fallback = "without_winner"
    }

    private enum Kind: String, MemberName, CaseIterable {
        case automatic
        case whenClear = "when_clear"
        case byHand = "by_hand"
    }

    private var kind: Kind {
        switch decision {
        case .automatic: .automatic
        case .whenClear: .whenClear
        case .byHand: .byHand
        }
    }

    /// `{"share": 200, "decision": "automatic", "after_seconds": 14400, "without_winner": "leader"}`, or
    /// `{"share": 200, "decision": "by_hand"}`.
    public var json: JSON {
        var members = [
            JSON.Member(Key.share.rawValue, .number(JSON.Number(share))),
            JSON.Member(Key.decision.rawValue, .string(kind.rawValue)),
        ]
        if let after {
            members += [
                JSON.Member(Key.after.rawValue, .number(JSON.Number(after))),
                JSON.Member(Key.fallback.rawValue, .string(fallback.rawValue)),
            ]
        }
        return .object(members)
    }

    /// Throws all problems together.
    public init(json: JSON) throws(Problems) {
        self = try ObjectReader.document(json, named: "the rule for the winner") { WinnerRule(&$0) }
    }

    private init(_ reader: inout ObjectReader) {
        reader.require(Key.share)
        share = reader.whole(Key.share, in: Self.shareRange) ?? Self.shareRange.lowerBound
        fallback = .leader
        switch reader.choice(Key.decision) ?? Kind.automatic {
        case .automatic:
            decision = .automatic(after: Self.after(&reader))
            fallback = reader.choice(Key.fallback) ?? .leader
        case .whenClear:
            decision = .whenClear(within: Self.after(&reader))
            fallback = reader.choice(Key.fallback) ?? .leader
        case .byHand: decision = .byHand
        }
    }

    private static func after(_ reader: inout ObjectReader) -> Int {
        reader.whole(Key.after, in: afterRange) ?? standardAfter
    }
}
