public import Campaigns
public import Postgres

/// The decision about the rest of a test's audience, taken or still to be taken.
public struct TestDecision: Hashable, Sendable {
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        case winner
        /// One was ahead of all others with high certainty before the time was over.
        case clear
        /// None had won, so that the leading variant was taken.
        case leader
        /// None had won, so that the campaign's first variant was taken.
        case first
        case byHand = "by_hand"
        /// A person was asked and did not answer, so that the leading variant was taken.
        case noAnswer = "no_answer"
        /// Nobody decided in time, so that the rest gets nothing.
        case expired
    }

    public let run: Run.ID
    /// When the last recipient was planned; nil: the decision can't be taken yet.
    public let plannedAt: Timestamp?
    /// When a person was asked, because none had won; nil: nobody was.
    public let askedAt: Timestamp?
    public let decidedAt: Timestamp?
    /// The name of the person who decided; nil: Belfry did, or an API key.
    public let decidedBy: String?
    /// From 0; nil: not decided, or the rest gets nothing.
    public let variant: Int?
    public let reason: Reason?
    public let expectedLoss: Double?
    /// Devices that wait, or waited, for the decision; without those that get nothing for another reason.
    public let rest: Int
    /// Whether the run has ended, or was cancelled.
    public let isOver: Bool
}

extension TestDecision {
    init(_ row: PostgresRow) throws {
        run = try row["run_id"]
        plannedAt = try row["planned_at"]
        askedAt = try row["asked_at"]
        decidedAt = try row["decided_at"]
        decidedBy = try row["decided_by"]
        variant = try row["variant"]
        reason = try row["reason"]
        expectedLoss = try row["expected_loss"]
        rest = try row["rest"]
        isOver = try row["is_over"]
    }
}

extension TestDecision.Reason: PostgresEncodable, PostgresDecodable {}

/// A decision to take: it is stored with what it rests on.
public struct NewTestDecision: Sendable {
    /// Nil: the rest gets nothing.
    public var variant: Int?
    public var reason: TestDecision.Reason
    public var decidedBy: User.ID?
    /// The verdict as the API names it.
    public var finding: String?
    public var expectedLoss: Double?
    public var counts: TestCounts?

    public init(
        variant: Int?, reason: TestDecision.Reason, decidedBy: User.ID? = nil, finding: String? = nil,
        expectedLoss: Double? = nil, counts: TestCounts? = nil
    ) {
        (self.variant, self.reason, self.decidedBy, self.finding) = (variant, reason, decidedBy, finding)
        (self.expectedLoss, self.counts) = (expectedLoss, counts)
    }
}
