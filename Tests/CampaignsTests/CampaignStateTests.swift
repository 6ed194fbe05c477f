import JSON
import Testing

@testable import Campaigns

struct CampaignStateTests {
    /// Every move that is allowed, written down apart from the code.
    private static let allowed: [CampaignState: [CampaignTransition: CampaignState]] = [
        .draft: [.edit: .draft, .schedule: .scheduled, .start: .sending, .fail: .failed],
        .scheduled: [
            .edit: .scheduled, .schedule: .scheduled, .unschedule: .draft, .start: .sending, .cancel: .cancelled,
            .fail: .failed, .pause: .scheduled, .resume: .scheduled, .skip: .scheduled,
        ],
        .sending: [.pause: .paused, .cancel: .cancelled, .finish: .sent, .fail: .failed],
        .paused: [.resume: .sending, .cancel: .cancelled, .finish: .sent],
        .sent: [:],
        .cancelled: [:],
        .failed: [.edit: .draft, .schedule: .scheduled, .start: .sending],
    ]

    @Test func everyTransitionIsDefined() {
        for state in CampaignState.allCases {
            for move in CampaignTransition.allCases {
                #expect(state.after(move) == Self.allowed[state]?[move], "\(state) \(move)")
            }
        }
    }

    @Test func applyingGivesTheStateOrTheRefusal() throws {
        #expect(try CampaignStatus(.draft).applying(.start) == .sending)
        #expect(throws: Refusal.notAllowed(.pause, to: CampaignStatus(.sent))) {
            try CampaignStatus(.sent).applying(.pause)
        }
    }

    @Test func refusalListsAllowedTransitions() {
        #expect(
            Refusal.notAllowed(.edit, to: CampaignStatus(.sending)).description
                == "A campaign that is sending can't be edited. Allowed now: pause, cancel.")
        #expect(
            Refusal.notAllowed(.cancel, to: CampaignStatus(.sent)).description
                == "A campaign that is sent can't be cancelled. Its state is final; make a copy to send again.")
        let once = CampaignStatus(.scheduled, schedule: .at(0))
        #expect(
            Refusal.notAllowed(.pause, to: once).description
                == "A campaign that is scheduled can't be paused. Allowed now: edit, schedule, unschedule, start, cancel."
        )
    }

    /// A refusal never recommends what would be refused, too.
    @Test func everyRecommendedTransitionIsAllowed() throws {
        for status in try Self.statuses() {
            for move in CampaignTransition.allCases where status.after(move) == nil {
                let message = Refusal.notAllowed(move, to: status).description
                let offer = message.split(separator: "Allowed now: ", maxSplits: 1).dropFirst().first ?? ""
                for name in offer.dropLast().split(separator: ", ") {
                    let offered = try #require(CampaignTransition(rawValue: String(name)))
                    #expect(status.after(offered) != nil && offered != .finish && offered != .fail)
                }
                if move == .start, status.state == .scheduled { #expect(!message.contains("schedule it")) }
            }
        }
    }

    @Test func repeatingScheduleIsPausedResumedAndSkipped() throws {
        let daily = try Self.daily()
        let running = CampaignStatus(.scheduled, schedule: daily)
        #expect(running.actions == [.edit, .schedule, .unschedule, .pause, .skip, .cancel])
        let paused = CampaignStatus(.scheduled, schedule: daily, isSchedulePaused: true)
        #expect(paused.actions == [.edit, .schedule, .unschedule, .resume, .cancel] && paused.name == "paused")
        #expect(CampaignStatus(.scheduled, schedule: .triggered).after(.skip) == nil)
        #expect(CampaignStatus(.scheduled, schedule: .triggered).after(.pause) == .scheduled)
        #expect(CampaignStatus(.scheduled, schedule: .at(0)).after(.start) == .sending)
    }

    @Test func delayedStartAllowsToUndoItOnly() {
        let starting = CampaignStatus(.scheduled, schedule: .at(0), isStarting: true)
        #expect(starting.actions == [.unschedule, .start, .cancel])
        #expect(Refusal.notAllowed(.edit, to: starting).code == "campaign-starting")
    }

    private static func daily() throws -> Schedule {
        try Schedule(
            json: [
                "kind": "recurring", "rule": "FREQ=DAILY", "from": "2030-01-01T09:00:00", "time_zone": "Europe/Berlin",
            ])
    }

    private static func statuses() throws -> [CampaignStatus] {
        let schedules = [nil, .at(0), .triggered, try daily()]
        return CampaignState.allCases.flatMap { state in
            schedules.flatMap { schedule in
                [CampaignStatus(state, schedule: schedule)]
                    + (state == .scheduled && schedule != nil
                        ? [CampaignStatus(state, schedule: schedule, isSchedulePaused: true)] : [])
            }
        }
    }
}
