public import Campaigns
public import Postgres

/// The newest count of the people of a campaign with a control group. Somebody without a user ID is an installation.
public struct EffectCounts: Hashable, Sendable {
    public let goal: CampaignGoal
    public let countedAt: Timestamp
    /// When everybody's time to reach the goal has passed; nil: not known yet, or the campaign goes on.
    public let decidesAt: Timestamp?
    public let isFinal: Bool
    /// Of recurring and triggered campaigns, which go on.
    public let isOpenEnded: Bool
    /// People who were sent to, or were to be: rejected ones, too, since nobody knows whom Apple would have rejected in the
    /// control group.
    public let treated: Int
    public let treatedConverted: Int
    public let control: Int
    public let controlConverted: Int
    /// With a goal of values, those of the people who converted.
    public let treatedAmounts, controlAmounts: Amounts
    /// The largest amount that counts of one person, with a goal of values; nil: not known yet.
    public let cap: Double?

    public init(
        goal: CampaignGoal, countedAt: Timestamp, decidesAt: Timestamp?, isFinal: Bool, isOpenEnded: Bool,
        treated: Int, treatedConverted: Int, control: Int, controlConverted: Int,
        treatedAmounts: Amounts = .none, controlAmounts: Amounts = .none, cap: Double? = nil
    ) {
        (self.goal, self.countedAt, self.decidesAt) = (goal, countedAt, decidesAt)
        (self.isFinal, self.isOpenEnded) = (isFinal, isOpenEnded)
        (self.treated, self.treatedConverted) = (treated, treatedConverted)
        (self.control, self.controlConverted) = (control, controlConverted)
        (self.treatedAmounts, self.controlAmounts, self.cap) = (treatedAmounts, controlAmounts, cap)
    }
}
