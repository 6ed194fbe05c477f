public import Campaigns
import Experiments
public import Store

/// Takes the decisions of A/B tests that tested a share of their audience, by the rules of their campaigns.
public struct TestDecider: Sendable {
    private let tests: TestCountStore
    private let decisions: TestDecisionStore

    public init(tests: TestCountStore, decisions: TestDecisionStore) {
        (self.tests, self.decisions) = (tests, decisions)
    }

    /// A decision that is due for somebody to take.
    public typealias Undecided = TestDecisionStore.Undecided

    public enum Step: Hashable, Sendable {
        case decided(TestDecision.Reason)
        /// A person is asked.
        case asked
    }

    public func undecided() async throws -> [Undecided] { try await decisions.undecided() }

    /// Nil when another process was faster.
    public func decide(_ due: Undecided) async throws -> Step? {
        let report = try await tests.counts(of: due.campaign).map { TestReport($0) }
        let choice = due.campaign.content.winner?.choice(report, isUnanswered: due.isUnanswered) ?? .nothing
        guard let decision = choice.decision(by: report) else {
            return try await decisions.ask(due.run) ? .asked : nil
        }
        return try await decisions.decide(due.run, decision) ? .decided(decision.reason) : nil
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
