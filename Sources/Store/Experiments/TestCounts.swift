public import Campaigns
public import Postgres

/// The people of an A/B test, as they were counted last.
public struct TestCounts: Hashable, Sendable {
    /// People of one variant. Somebody without a user ID is an installation.
    public struct Variant: Hashable, Sendable {
        /// From 0, in the order of the campaign.
        public let place: Int
        public let name: String
        /// The share of the people that it should have, in thousandths, among those who can be compared.
        public let weight: Int
        /// People who got only this variant.
        public let planned: Int
        /// The part of `planned` that was sent a push, or was not because of its content.
        public let people: Int
        /// The part of `people` that did so in time.
        public let opened, engaged, converted: Int
        /// With a goal of values, those of `converted`.
        public let amounts: Amounts
        /// People who also got another variant, because they signed in between two pushes. Not counted elsewhere.
        public let mixed: Int

        public init(
            place: Int, name: String, weight: Int, planned: Int, people: Int, opened: Int = 0, engaged: Int = 0,
            converted: Int = 0, amounts: Amounts = .none, mixed: Int = 0
        ) {
            (self.place, self.name, self.weight, self.planned, self.people) = (place, name, weight, planned, people)
            (self.opened, self.engaged, self.converted) = (opened, engaged, converted)
            (self.amounts, self.mixed) = (amounts, mixed)
        }

        /// The number of people who reached the goal.
        public func reached(_ goal: CampaignGoal) -> Int {
            switch goal {
            case .opened: opened
            case .engaged: engaged
            case .event, .value: converted
            }
        }
    }

    public let goal: CampaignGoal
    public let countedAt: Timestamp
    /// When everybody's time to reach the goal has passed; nil: not known yet, or the campaign goes on.
    public let decidesAt: Timestamp?
    public let isFinal: Bool
    /// Of campaigns that nobody decides at a fixed time: recurring and triggered ones, and those decided by hand.
    public let isOpenEnded: Bool
    /// The largest amount that counts of one person, with a goal of values; nil: not known yet.
    public let cap: Double?
    public let variants: [Variant]

    public init(
        goal: CampaignGoal, countedAt: Timestamp, decidesAt: Timestamp?, isFinal: Bool, isOpenEnded: Bool,
        cap: Double? = nil, variants: [Variant]
    ) {
        (self.goal, self.countedAt, self.decidesAt) = (goal, countedAt, decidesAt)
        (self.isFinal, self.isOpenEnded) = (isFinal, isOpenEnded)
        (self.cap, self.variants) = (cap, variants)
    }
}
