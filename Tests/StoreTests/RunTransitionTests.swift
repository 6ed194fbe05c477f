import Campaigns
import JSON
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct RunTransitionTests {
    /// All allowed transitions, written independently of the code.
    private static let allowed: [RunRecord.State: [RunTransition: RunRecord.State]] = [
        .sending: [.pause: .paused, .cancel: .cancelled],
        .paused: [.resume: .sending, .cancel: .cancelled],
        .cancelled: [:],
        .finished: [:],
    ]

    @Test func everyStateAndTransitionIsInTheTable() {
        for state in RunRecord.State.allCases {
            for transition in RunTransition.allCases {
                #expect(transition.next(from: state) == Self.allowed[state]?[transition], "\(state) \(transition)")
            }
        }
    }

    @Test func errorListsAllowedTransitions() {
        #expect(
            Refusal.notAllowed(RunTransition.resume, from: .sending).description
                == "A run that is sending can't be resumed. Allowed now: pause, cancel.")
        #expect(
            Refusal.notAllowed(.cancel, from: .finished).description
                == "A run that is finished can't be cancelled. It has ended.")
        #expect(
            Refusal.notAllowed(RunTransition.pause, from: .cancelled).description
                == "A run that is cancelled can't be paused. It has ended.")
    }

    @Test(arguments: RunRecord.State.allCases)
    func storeFollowsTheTable(_ state: RunRecord.State) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let other = try await fixture.app("com.example.Other")
            let campaign = try await fixture.campaign(of: app, state: .scheduled)
            for transition in RunTransition.allCases {
                let run = try await fixture.run(of: campaign, state: state)
                await #expect(throws: Refusal.notFound(.run)) {
                    try await fixture.runs.transition(run, app: other.id, by: transition)
                }
                if let next = Self.allowed[state]?[transition] {
                    #expect(try await fixture.runs.transition(run, app: app.id, by: transition).state == next)
                } else {
                    await #expect(throws: Refusal.notAllowed(transition, from: state)) {
                        try await fixture.runs.transition(run, app: app.id, by: transition)
                    }
                    #expect(try await fixture.runs.find(run, app: app.id).state == state)
                }
            }
            // A scheduled campaign is not affected by its run.
            #expect(try await fixture.campaigns.find(campaign.id, app: app.id) == campaign)
        }
    }

    @Test func sendingCampaignChangesWithItsRun() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let run = try await fixture.run(of: campaign)
            let expected: [(RunTransition, CampaignState)] = [
                (.pause, .paused), (.resume, .sending), (.cancel, .cancelled),
            ]
            for (transition, state) in expected {
                _ = try await fixture.runs.transition(run, app: app.id, by: transition)
                #expect(try await fixture.campaigns.find(campaign.id, app: app.id).state == state)
            }
        }
    }

    @Test(arguments: [RunTransition.resume, .cancel])
    func transitionClearsTheCampaignsCopyOfTheReason(_ transition: RunTransition) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            for (reason, remains) in [("Start it now?", nil), ("Nobody matched.", "Nobody matched.")] {
                let campaign = try await fixture.campaign(of: app, state: .scheduled)
                let run = try await fixture.run(of: campaign, state: .paused)
                try await fixture.pool.execute("UPDATE runs SET reason = 'Start it now?' WHERE id = \(run)")
                try await fixture.pool.execute("UPDATE campaigns SET reason = \(reason) WHERE id = \(campaign.id)")
                _ = try await fixture.runs.transition(run, app: app.id, by: transition)
                let now = try await fixture.campaigns.find(campaign.id, app: app.id)
                #expect(now.reason?.description == remains && now.state == .scheduled)
            }
        }
    }

    /// A campaign can have two runs, for example a triggered one.
    @Test func campaignStateIsUnchangedWhileAnotherRunContinues() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let first = try await fixture.run(of: campaign)
            let second = try await fixture.run(of: campaign)
            _ = try await fixture.run(of: campaign, state: .finished)
            let moves: [(Run.ID, RunTransition, CampaignState)] = [
                (first, .pause, .sending), (second, .pause, .paused), (first, .resume, .sending),
                (first, .cancel, .sending), (second, .cancel, .cancelled),
            ]
            for (run, transition, state) in moves {
                _ = try await fixture.runs.transition(run, app: app.id, by: transition)
                #expect(try await fixture.campaigns.find(campaign.id, app: app.id).state == state)
            }
        }
    }

    @Test(arguments: RunRecord.State.allCases)
    func rateLimitCanBeSetUntilTheRunEnds(_ state: RunRecord.State) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .scheduled), state: state)
            switch state {
            case .sending, .paused:
                #expect(try await fixture.runs.setRateLimit(run, app: app.id, to: 7).pushesPerSecond == 7)
                #expect(try await fixture.runs.setRateLimit(run, app: app.id, to: nil).pushesPerSecond == nil)
            case .cancelled, .finished:
                await #expect(throws: Refusal.runFinished) {
                    try await fixture.runs.setRateLimit(run, app: app.id, to: 7)
                }
            }
            await #expect(throws: Refusal.notFound(.run)) {
                try await fixture.runs.setRateLimit(Run.ID(rawValue: 999), app: app.id, to: 7)
            }
        }
    }
}
