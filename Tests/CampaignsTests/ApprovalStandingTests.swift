import JSON
import Notifications
import Testing

@testable import Campaigns

/// Whether a campaign may be sent, as far as approvals go.
@Suite struct ApprovalStandingTests {
    private static let content: JSON = ["payload": ["aps": ["alert": "Hi"]]]
    private static let now = 1_800_000_000
    private static let later = Schedule.triggered

    private static func newest(
        _ state: Approval.State, decided: Int? = nil, recipients: Int = 100, content: JSON = content
    ) -> Approval.Newest {
        Approval.Newest(state: state, decidedAt: decided, recipients: recipients, content: content)
    }

    private static func standing(
        _ newest: Approval.Newest?, above: Int? = 0, recipients: Int = 100, schedule: Schedule? = nil
    ) -> ApprovalStanding {
        ApprovalStanding(
            above: above, newest: newest, content: content, recipients: recipients, schedule: schedule, now: now)
    }

    @Test func onlyMoreRecipientsThanTheAppAllowsNeedOne() {
        #expect(Self.standing(nil, above: nil) == .notNeeded)
        #expect(Self.standing(nil, above: 100) == .notNeeded)
        #expect(Self.standing(nil, above: 99) == .missing)
        #expect(Self.standing(nil, above: 0, recipients: 0) == .notNeeded)
    }

    @Test(arguments: [Approval.State.rejected, .withdrawn, .void])
    func requestThatHasEndedAllowsNothing(_ state: Approval.State) {
        #expect(Self.standing(Self.newest(state, decided: Self.now)) == .missing)
    }

    @Test func onlyWhatWasApprovedIsAllowed() {
        let other: JSON = ["payload": ["aps": ["alert": "Ho"]]]
        #expect(Self.standing(Self.newest(.approved, decided: Self.now)) == .approved)
        #expect(Self.standing(Self.newest(.approved, decided: Self.now, content: other)) == .changed)
        #expect(Self.standing(Self.newest(.waiting)) == .waiting)
        #expect(Self.standing(Self.newest(.waiting, content: other)) == .missing)
    }

    @Test func campaignWithoutAScheduleIsSentWithinADay() {
        let day = Approval.startsWithin
        #expect(Self.standing(Self.newest(.approved, decided: Self.now - day)) == .approved)
        #expect(Self.standing(Self.newest(.approved, decided: Self.now - day - 1)) == .expired)
        #expect(Self.standing(Self.newest(.approved, decided: Self.now - day - 1), schedule: Self.later) == .approved)
    }

    @Test func audienceGrowsByTenPercentOrIsAskedForAgain() {
        #expect(Self.standing(Self.newest(.approved, decided: Self.now), recipients: 110) == .approved)
        #expect(Self.standing(Self.newest(.approved, decided: Self.now), recipients: 111) == .grown)
        // A triggered campaign is approved as a rule.
        let repeated = Self.standing(
            Self.newest(.approved, decided: Self.now), recipients: 111, schedule: Self.later)
        #expect(repeated == .approved)
    }

    @Test func nameIsNotApprovedAndEverythingElseIs() throws {
        let campaign = CampaignContent(name: "Sale", payload: #"{"aps":{"alert":"Hi"}}"#)
        func content(_ change: (inout CampaignContent) -> Void) throws -> JSON {
            var changed = campaign
            change(&changed)
            return try Approval.content(changed, by: changed.options.schedule, to: .everybody)
        }
        let approved = try content { _ in }
        #expect(try content { $0.name = "Summer sale" } == approved)
        let changes: [(inout CampaignContent) -> Void] = [
            { $0.setBody(.payload(#"{"aps":{"alert":"Hi "}}"#)) },
            { $0.setBody(.template(TemplateReference(id: Template.ID(rawValue: 1), version: 2))) },
            { $0.priority = .powerAware }, { $0.expirationSeconds = 60 }, { $0.unknownPolicy = .leave },
            { $0.options.audience = Audience(include: .tag("vip")) }, { $0.options.schedule = .triggered },
            { $0.options.goal = .opened }, { $0.options.winner = WinnerRule(share: 200, decision: .byHand) },
            { $0.options.controlShare = 100 }, { $0.options.ignoresQuietHours = true },
            { $0.options.ignoresFrequencyCap = true }, { $0.options.ignoresGlobalControl = true },
            { $0.options.pushesPerSecond = 10 },
            { $0.options.rejectionThresholdPercent = nil },
            { $0.options.missedStart = MissedStart(grace: 1, policy: .send) },
        ]
        for (index, change) in changes.enumerated() { #expect(try content(change) != approved, "\(index)") }
    }
}
