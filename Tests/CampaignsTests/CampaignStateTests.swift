import Testing

@testable import Campaigns

struct CampaignStateTests {
    /// Every move that is allowed, written down apart from the code.
    private static let allowed: [CampaignState: [CampaignTransition: CampaignState]] = [
        .draft: [.edit: .draft, .schedule: .scheduled, .start: .sending, .fail: .failed],
        .scheduled: [
            .edit: .scheduled, .schedule: .scheduled, .unschedule: .draft, .start: .sending, .cancel: .cancelled,
            .fail: .failed,
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
        #expect(try CampaignState.draft.applying(.start) == .sending)
        #expect(throws: Refusal.notAllowed(.pause, from: .sent)) { try CampaignState.sent.applying(.pause) }
    }

    @Test func refusalListsAllowedTransitions() {
        #expect(
            Refusal.notAllowed(.edit, from: .sending).description
                == "A campaign that is sending can't be edited. Allowed now: pause, cancel.")
        #expect(
            Refusal.notAllowed(.cancel, from: .sent).description
                == "A campaign that is sent can't be cancelled. Its state is final; make a copy to send again."
        )
    }

    /// Transitions that only the dispatcher makes are not listed for people.
    @Test func refusalOmitsTransitionsOfTheDispatcher() {
        for state in CampaignState.allCases {
            for move in CampaignTransition.allCases where state.after(move) == nil {
                let message = Refusal.notAllowed(move, from: state).description
                #expect(message.hasPrefix("A campaign that is \(state.rawValue) can't be "))
                let offer = message.split(separator: ". ", maxSplits: 1).last ?? ""
                #expect(!offer.contains("finish") && !offer.contains("fail"))
            }
        }
    }
}
