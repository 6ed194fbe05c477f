import Campaigns
import JSON
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct StoredReasonTests {
    private let reason: Message = "Apple rejects the topic \("com.example.Shop"). Check \("the key" as Message)."

    @Test func reasonOfAPausedRunKeepsItsKeyAndArguments() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let run = try await fixture.run(of: campaign)

            try await RunPauseStore(pool: fixture.pool).pause(Run.Key(app: app.id, id: run), because: reason)

            let paused = try await fixture.runs.find(run, app: app.id)
            let copied = try await fixture.campaigns.find(campaign.id, app: app.id)
            #expect(paused.reason == reason && paused.reason?.key == reason.key)
            #expect(copied.reason == reason && copied.reason?.key == reason.key)

            let resumed = try await fixture.runs.transition(run, app: app.id, by: .resume)
            #expect(resumed.reason == nil)
            #expect(try await fixture.campaigns.find(campaign.id, app: app.id).reason == nil)
        }
    }

    @Test func reasonBeforeARestoreStaysAMessageUnlessItIsShortened() async throws {
        let long: Message = "Apple rejects \(String(repeating: "long ", count: 500))."
        for (earlier, isMessage) in [(reason, true), (long, false)] {
            try await StoreFixture.run { fixture in
                let app = try await fixture.app()
                let run = try await fixture.run(of: try await fixture.campaign(of: app, state: .sending))
                let pauses = RunPauseStore(pool: fixture.pool)
                try await pauses.pause(Run.Key(app: app.id, id: run), because: earlier)
                try await fixture.pool.execute("UPDATE runs SET generation = generation + 1")

                #expect(try await pauses.pauseRunsFromBeforeRestore() == 1)

                let held = try #require(try await fixture.runs.find(run, app: app.id).reason)
                #expect(held.key == "{} It was paused before: {}")
                guard case .message(let first)? = held.arguments.first, let last = held.arguments.last else {
                    Issue.record("the messages lost their structure")
                    return
                }
                #expect(first == RunPauseStore.restoreMessage)
                if isMessage {
                    #expect(last.description == earlier.description)
                } else {
                    #expect(last.description == String(earlier.description.prefix(1_000)))
                }
                if case .message(let message) = last { #expect(isMessage && message.key == earlier.key) }
                if case .text = last { #expect(!isMessage) }
            }
        }
    }

    /// Somebody may have changed only the English text.
    @Test func reasonThatWasChangedByHandCountsAsItIs() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: try await fixture.campaign(of: app, state: .sending))
            try await RunPauseStore(pool: fixture.pool).pause(Run.Key(app: app.id, id: run), because: reason)
            try await fixture.pool.execute("UPDATE runs SET reason = 'Wait for the lawyers.'")

            let found = try await fixture.runs.find(run, app: app.id).reason
            #expect(found?.description == "Wait for the lawyers." && found?.key == "{}")
        }
    }
}
