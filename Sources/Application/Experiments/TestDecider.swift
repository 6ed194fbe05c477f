public import Campaigns
import Experiments
import Postgres
public import Store

/// Takes the decisions of A/B tests that tested a share of their audience, by the rules of their campaigns.
public struct TestDecider: Sendable {
    /// In seconds, the least that an early decision waits in an app whose people have not opened enough pushes yet, and of
    /// events, which follow later than an opening.
    static let standardWait = 7_200

    private let tests: TestCountStore
    private let decisions: TestDecisionStore
    private let bases: TestBasisStore

    public init(tests: TestCountStore, decisions: TestDecisionStore, bases: TestBasisStore) {
        (self.tests, self.decisions, self.bases) = (tests, decisions, bases)
    }

    /// A decision that is due for somebody to take.
    public typealias Undecided = TestDecisionStore.Undecided

    public enum Step: Hashable, Sendable {
        case decided(TestDecision.Reason)
        /// A person is asked.
        case asked
    }

    public func undecided() async throws -> [Undecided] { try await decisions.undecided() }

    /// Nil when another process was faster, or it is too early.
    public func decide(_ due: Undecided) async throws -> Step? {
        let report = try await tests.counts(of: due.campaign).map { TestReport($0) }
        if due.why == .early { return try await decideEarly(due, report) }
        let choice =
            due.campaign.content.winner?.choice(report, isUnanswered: due.why == .unanswered) ?? .nothing
        guard let decision = choice.decision(by: report) else {
            return try await decisions.ask(due.run) ? .asked : nil
        }
        return try await decisions.decide(due.run, decision) ? .decided(decision.reason) : nil
    }

    private func decideEarly(_ due: Undecided, _ report: TestReport?) async throws -> Step? {
        guard let rule = due.campaign.content.winner, let report, let leader = report.clearLeader else { return nil }
        let usual = try await bases.usualResponseSeconds(app: due.campaign.app)
        guard report.isSettled(rule, usualSeconds: usual) else { return nil }
        let decision = TestReport?.some(report).decision(leader, .clear)
        return try await decisions.decide(due.run, decision) ? .decided(.clear) : nil
    }
}

extension TestReport {
    /// The place of a variant that is ahead of all others with high certainty before the time is over.
    var clearLeader: Int? { verdict?.finding == .aheadSoFar ? leader : nil }

    /// Whether most people have had the time in which they usually respond, since the last of them was sent a push.
    /// Before, a variant can also be ahead because it is opened sooner. `usualSeconds` is about openings.
    func isSettled(_ rule: WinnerRule, usualSeconds: Int?) -> Bool {
        guard let decidesAt = counts.decidesAt, let after = rule.after else { return false }
        let standard = TestDecider.standardWait
        let wait = counts.goal.eventName == nil ? usualSeconds ?? standard : max(usualSeconds ?? standard, standard)
        return counts.countedAt >= decidesAt + .seconds(min(wait, after) - after)
    }
}

/// The choice that a rule makes for the rest of a test's audience.
public enum TestChoice: Hashable, Sendable {
    case send(variant: Int, because: TestDecision.Reason)
    case ask
    /// Nobody decided in time.
    case nothing

    /// Nil if a person is to be asked.
    fileprivate func decision(by report: TestReport?) -> NewTestDecision? {
        switch self {
        case .send(let variant, let reason): report.decision(variant, reason)
        case .ask: nil
        case .nothing: report.decision(nil, .expired)
        }
    }
}

extension TestReport? {
    /// A decision with what is known.
    public func decision(
        _ variant: Int?, _ reason: TestDecision.Reason, by person: User.ID? = nil
    ) -> NewTestDecision {
        NewTestDecision(
            variant: variant, reason: reason, decidedBy: person, finding: self?.finding,
            expectedLoss: self?.verdict?.expectedLoss, counts: self?.counts)
    }
}

extension WinnerRule {
    /// The winner, or without one what the rule says. `isUnanswered`: a person was asked and did not answer in time.
    public func choice(_ report: TestReport?, isUnanswered: Bool) -> TestChoice {
        guard decision != .byHand else { return .nothing }
        let leader = report?.leader ?? 0
        if case .winner? = report?.verdict?.finding { return .send(variant: leader, because: .winner) }
        switch fallback {
        case .leader: return .send(variant: leader, because: .leader)
        case .first: return .send(variant: 0, because: .first)
        case .ask: return isUnanswered ? .send(variant: leader, because: .noAnswer) : .ask
        }
    }
}
