import Campaigns
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct RunMoveTests {
    /// Every move that is allowed, written down apart from the code.
    private static let allowed: [RunRecord.State: [RunMove: RunRecord.State]] = [
        .sending: [.pause: .paused, .cancel: .cancelled],
        .paused: [.resume: .sending, .cancel: .cancelled],
        .cancelled: [:],
        .finished: [:],
    ]

    @Test func everyPairOfStateAndMoveIsDecided() {
        for state in RunRecord.State.allCases {
            for move in RunMove.allCases {
                #expect(move.next(from: state) == Self.allowed[state]?[move], "\(state) \(move)")
            }
        }
    }

    @Test func refusalSaysWhatCanBeDone() {
        #expect(
            Refusal.notAllowed(RunMove.resume, from: .sending).description
                == "A run that is sending can't be resumed. Allowed now: pause, cancel.")
        #expect(
            Refusal.notAllowed(.cancel, from: .finished).description
                == "A run that is finished can't be cancelled. It has ended.")
        #expect(
            Refusal.notAllowed(RunMove.pause, from: .cancelled).description
                == "A run that is cancelled can't be paused. It has ended.")
    }

    @Test(arguments: RunRecord.State.allCases)
    func storeMovesByTheTable(_ state: RunRecord.State) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let other = try await fixture.app("com.example.Other")
            let campaign = try await fixture.campaign(of: app, state: .scheduled)
            for move in RunMove.allCases {
                let run = try await fixture.run(of: campaign, state: state)
                await #expect(throws: Refusal.notFound(.run)) {
                    try await fixture.runs.move(run, app: other.id, by: move)
                }
                if let next = Self.allowed[state]?[move] {
                    #expect(try await fixture.runs.move(run, app: app.id, by: move).state == next)
                } else {
                    await #expect(throws: Refusal.notAllowed(move, from: state)) {
                        try await fixture.runs.move(run, app: app.id, by: move)
                    }
                    #expect(try await fixture.runs.find(run, app: app.id).state == state)
                }
            }
            // One that recurs or waits for calls goes on, whatever becomes of a run.
            #expect(try await fixture.campaigns.find(campaign.id, app: app.id) == campaign)
        }
    }

    @Test func campaignThatIsSendingItselfMovesAlong() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let run = try await fixture.run(of: campaign)
            for (move, state) in [(RunMove.pause, CampaignState.paused), (.resume, .sending), (.cancel, .cancelled)] {
                _ = try await fixture.runs.move(run, app: app.id, by: move)
                #expect(try await fixture.campaigns.find(campaign.id, app: app.id).state == state)
            }
        }
    }

    @Test(arguments: [RunMove.resume, .cancel])
    func questionOfARunIsForgottenAtItsCampaignWhenItIsAnswered(_ move: RunMove) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            for (reason, remains) in [("Start it now?", nil), ("Nobody matched.", "Nobody matched.")] {
                let campaign = try await fixture.campaign(of: app, state: .scheduled)
                let run = try await fixture.run(of: campaign, state: .paused)
                try await fixture.pool.execute("UPDATE runs SET reason = 'Start it now?' WHERE id = \(run)")
                try await fixture.pool.execute("UPDATE campaigns SET reason = \(reason) WHERE id = \(campaign.id)")
                _ = try await fixture.runs.move(run, app: app.id, by: move)
                let now = try await fixture.campaigns.find(campaign.id, app: app.id)
                #expect(now.reason == remains && now.state == .scheduled)
            }
        }
    }

    /// A triggered campaign that was started by hand as well has two.
    @Test func campaignStaysWhileAnotherOfItsRunsGoesOn() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let first = try await fixture.run(of: campaign)
            let second = try await fixture.run(of: campaign)
            _ = try await fixture.run(of: campaign, state: .finished)
            let moves: [(Run.ID, RunMove, CampaignState)] = [
                (first, .pause, .sending), (second, .pause, .paused), (first, .resume, .sending),
                (first, .cancel, .sending), (second, .cancel, .cancelled),
            ]
            for (run, move, state) in moves {
                _ = try await fixture.runs.move(run, app: app.id, by: move)
                #expect(try await fixture.campaigns.find(campaign.id, app: app.id).state == state)
            }
        }
    }

    @Test(arguments: RunRecord.State.allCases)
    func paceIsSetUntilTheRunIsOver(_ state: RunRecord.State) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .scheduled), state: state)
            switch state {
            case .sending, .paused:
                #expect(try await fixture.runs.setPace(run, app: app.id, to: 7).pushesPerSecond == 7)
                #expect(try await fixture.runs.setPace(run, app: app.id, to: nil).pushesPerSecond == nil)
            case .cancelled, .finished:
                await #expect(throws: Refusal.runFinished) {
                    try await fixture.runs.setPace(run, app: app.id, to: 7)
                }
            }
            await #expect(throws: Refusal.notFound(.run)) {
                try await fixture.runs.setPace(Run.ID(rawValue: 999), app: app.id, to: 7)
            }
        }
    }
}
