import Campaigns
import JSON
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct CampaignStoreTests {
    @Test func payloadKeepsKeyOrderAndDigits() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let payload = #"{"z":1.0,"aps":{"sound":"a","alert":"\u0041é"},"id":11153971268435968,"a":1e3}"#
            let made = try await fixture.campaigns.create(
                app: app.id,
                CampaignContent(
                    name: "Sale", payload: payload, pushType: .background, priority: .powerAware, expirationSeconds: 0,
                    collapseID: CollapseID("c"), unknownPolicy: .leave))

            let found = try await fixture.campaigns.find(made.id, app: app.id)

            #expect(found == made)
            #expect(found.content.body?.payload == payload)
            #expect(found.state == .draft)
            #expect(found.version == 1)
        }
    }

    @Test func ownContentIsStoredAsItIs() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let own =
                #"{"payload":{"z":1.0,"aps":{"alert":"Hi {{ name }}"}},"variants":{"ja":{"aps":{"alert":"\u3042"}}}}"#
            let made = try await fixture.campaigns.create(
                app: app.id, CampaignContent(name: "Sale", body: .content(own)))
            #expect(try await fixture.campaigns.find(made.id, app: app.id).content.body == .content(own))

            var test = made.content
            let plain = #"{"aps":{"alert":"Hello"}}"#
            test.variants = [
                CampaignVariant(name: "A", body: .content(own)), CampaignVariant(name: "B", body: .payload(plain)),
            ]
            test.weights = [400, 600]
            let changed = try await fixture.campaigns.update(made.id, app: app.id, version: 1, to: test)
            let bodies = changed.content.variants.map(\.body)
            #expect(bodies.count == 2 && bodies[1] == .payload(plain))
            #expect(try JSON(parsing: bodies[0].content ?? "") == JSON(parsing: own))
            let copy = try await fixture.campaigns.duplicate(made.id, app: app.id, name: "Copy")
            #expect(copy.content.variants == changed.content.variants)
        }
    }

    /// Exactly one of four.
    @Test(
        arguments: [
            "payload = '{}', content = '{}'", "payload = NULL", "content = '[]', payload = NULL",
            #"content = '{}', payload = NULL, variants = '[{"name":"A"},{"name":"B"}]', variant_weights = '[[1,999]]'"#,
        ])
    func contentIsStoredInOnePlace(_ change: String) async throws {
        try await StoreFixture.run { fixture in
            _ = try await fixture.campaign(of: fixture.app())
            let error = await #expect(throws: PostgresError.self) {
                try await fixture.pool.execute("UPDATE campaigns SET \(unescaped: change)")
            }
            #expect(["campaigns_content", "campaigns_content_check"].contains(error?.constraint))
        }
    }

    @Test func campaignOfAnotherAppIsNotFound() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let other = try await fixture.app("com.example.Other")
            let campaign = try await fixture.campaign(of: app)

            await #expect(throws: Refusal.notFound(.campaign)) {
                try await fixture.campaigns.find(campaign.id, app: other.id)
            }
            await #expect(throws: Refusal.notFound(.campaign)) {
                try await fixture.campaigns.start(campaign.id, app: other.id)
            }
            await #expect(throws: Refusal.notFound(.campaign)) {
                try await fixture.campaigns.delete(campaign.id, app: other.id)
            }
        }
    }

    @Test(arguments: CampaignState.allCases)
    func transitionsFollowTheTable(_ state: CampaignState) async throws {
        typealias Move = (CampaignStore, CampaignRecord) async throws -> CampaignRecord
        let moves: [(CampaignTransition, Move)] = [
            (.edit, { try await $0.update($1.id, app: $1.app, version: $1.version, to: $1.content) }),
            (.schedule, { try await $0.schedule($1.id, app: $1.app, to: .at(4_000_000_000)) }),
            (.unschedule, { try await $0.unschedule($1.id, app: $1.app) }),
            (.start, { try await $0.start($1.id, app: $1.app) }),
            (.pause, { try await $0.pause($1.id, app: $1.app) }),
            (.resume, { try await $0.resume($1.id, app: $1.app) }),
            (.cancel, { try await $0.cancel($1.id, app: $1.app) }),
        ]
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            for (move, perform) in moves {
                let campaign = try await fixture.campaign(of: app, state: state)
                if let next = campaign.status.after(move) {
                    let moved = try await perform(fixture.campaigns, campaign)
                    #expect(moved.state == next)
                    #expect(moved.version == campaign.version + 1)
                } else {
                    await #expect(throws: Refusal.self) { _ = try await perform(fixture.campaigns, campaign) }
                    #expect(try await fixture.campaigns.find(campaign.id, app: app.id) == campaign)
                }
            }
        }
    }

    @Test func recurringAndTriggeredCampaignsCannotBeStartedManually() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let daily = Recurrence(
                rule: try RecurrenceRule("FREQ=DAILY"), start: try CivilTime("2030-01-01T09:00:00"), clock: .zone("UTC")
            )
            for (schedule, refusal) in [
                (Schedule.recurring(daily), Refusal.isRecurring(.scheduled)), (.triggered, .isTriggered(.scheduled)),
            ] {
                var content = CampaignContent(name: "Rule", payload: #"{"aps":{"alert":"Hello"}}"#)
                content.schedule = schedule
                let made = try await fixture.campaigns.create(app: app.id, content)
                let scheduled = try await fixture.campaigns.schedule(made.id, app: app.id)
                await #expect(throws: refusal) { try await fixture.campaigns.start(made.id, app: app.id) }
                #expect(try await fixture.campaigns.find(made.id, app: app.id) == scheduled)
            }
        }
    }

    /// A daily campaign: pausing stops it from starting, resuming plans it anew, skipping moves on by a day.
    @Test func recurringCampaignIsPausedResumedAndSkipped() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            var content = CampaignContent(name: "Rule", payload: #"{"aps":{"alert":"Hello"}}"#)
            content.schedule = .recurring(
                Recurrence(
                    rule: try RecurrenceRule("FREQ=DAILY;COUNT=3"), start: try CivilTime("2090-01-01T09:00:00"),
                    clock: .zone("UTC")))
            let store = fixture.campaigns
            let made = try await store.create(app: app.id, content)
            _ = try await store.schedule(made.id, app: app.id)
            let run = try await fixture.run(of: made)

            let paused = try await store.pause(made.id, app: app.id)
            #expect(paused.state == .scheduled && paused.status.name == "paused" && paused.nextCheckAt == nil)
            #expect(try await fixture.runs.find(run, app: app.id).state == .paused)
            await #expect(throws: Refusal.self) { try await store.pause(made.id, app: app.id) }
            await #expect(throws: Refusal.self) { try await store.skip(made.id, app: app.id) }
            content.name = "Renamed"
            let edited = try await store.update(made.id, app: app.id, version: paused.version, to: content)
            #expect(edited.status.name == "paused" && edited.nextCheckAt == nil)

            let resumed = try await store.resume(made.id, app: app.id)
            #expect(resumed.status.name == "scheduled" && resumed.nextCheckAt != nil)
            #expect(try await fixture.runs.find(run, app: app.id).state == .sending)

            let skipped = try await store.skip(made.id, app: app.id)
            #expect(skipped.reason == "The occurrence 2090-01-01T09:00:00.000Z was skipped by hand.")
            #expect(skipped.reason?.key == "The occurrence {} was skipped by hand.")
            #expect(skipped.handledUntil.map { RFC3339.text(Int($0.secondsSince1970)) } == "2090-01-01T09:00:00.000Z")
            await #expect(throws: Refusal.self) {
                try await store.skip(made.id, app: app.id, expectedVersion: resumed.version)
            }
            // The skipped one stays skipped.
            _ = try await store.pause(made.id, app: app.id)
            let again = try await store.resume(made.id, app: app.id)
            #expect(again.handledUntil == skipped.handledUntil && again.nextCheckAt == skipped.nextCheckAt)
            content.name = "Renamed again"
            let renamed = try await store.update(made.id, app: app.id, version: again.version, to: content)
            #expect(renamed.handledUntil == skipped.handledUntil && renamed.nextCheckAt == skipped.nextCheckAt)
            _ = try await store.skip(made.id, app: app.id)
            // The third is the last; one run is still open.
            #expect(try await store.skip(made.id, app: app.id).state == .sending)
        }
    }

    @Test func newScheduleOfAPausedCampaignHasNoSkippedOccurrences() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            func daily(from start: String) throws -> Schedule {
                .recurring(
                    Recurrence(rule: try RecurrenceRule("FREQ=DAILY"), start: try CivilTime(start), clock: .zone("UTC"))
                )
            }
            var content = CampaignContent(name: "Rule", payload: #"{"aps":{"alert":"Hello"}}"#)
            content.schedule = try daily(from: "2090-01-01T09:00:00")
            let store = fixture.campaigns
            let id = try await store.create(app: app.id, content).id
            _ = try await store.schedule(id, app: app.id)
            _ = try await store.skip(id, app: app.id)
            let paused = try await store.pause(id, app: app.id)
            content.schedule = try daily(from: "2080-06-01T09:00:00")
            let edited = try await store.update(id, app: app.id, version: paused.version, to: content)
            #expect(edited.status.name == "paused" && edited.nextCheckAt == nil)
            let next = try await store.resume(id, app: app.id).nextCheckAt
            #expect(next.map { RFC3339.text(Int($0.secondsSince1970)) } == "2080-06-01T09:00:00.000Z")
        }
    }

    @Test func updateOfAnOlderVersionIsRejected() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app)
            var content = campaign.content
            content.name = "Renamed"
            _ = try await fixture.campaigns.update(campaign.id, app: app.id, version: 1, to: content)

            await #expect(throws: Refusal.versionConflict(current: 2)) {
                try await fixture.campaigns.update(campaign.id, app: app.id, version: 1, to: campaign.content)
            }
            #expect(try await fixture.campaigns.find(campaign.id, app: app.id).content.name == "Renamed")
        }
    }

    @Test func pauseResumeAndCancelIncludeTheOpenRun() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let over = try await fixture.run(of: campaign, state: .finished)
            let open = try await fixture.run(of: campaign)
            func states() async throws -> [RunRecord.State] {
                [
                    try await fixture.runs.find(over, app: app.id).state,
                    try await fixture.runs.find(open, app: app.id).state,
                ]
            }

            _ = try await fixture.campaigns.pause(campaign.id, app: app.id)
            #expect(try await states() == [.finished, .paused])
            _ = try await fixture.campaigns.resume(campaign.id, app: app.id)
            #expect(try await states() == [.finished, .sending])
            _ = try await fixture.campaigns.cancel(campaign.id, app: app.id)
            #expect(try await states() == [.finished, .cancelled])
        }
    }

    @Test func pauseIncludesARunThatIsBeingStarted() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)

            async let paused: CampaignRecord = fixture.pool.transaction { connection in
                // Like the dispatcher: the campaign's row is locked while its run is inserted.
                _ = try await connection.query("SELECT FROM campaigns WHERE id = \(campaign.id) FOR UPDATE")
                async let paused = fixture.campaigns.pause(campaign.id, app: app.id)
                try await fixture.untilSomeoneWaitsForALock()
                _ = try await fixture.run(of: campaign, on: connection)
                try await connection.execute("COMMIT")
                let record = try await paused
                try await connection.execute("BEGIN")
                return record
            }

            #expect(try await paused.state == .paused)
            let runs = try await fixture.runs.list(campaign: campaign.id, app: app.id, before: nil, limit: 10)
            #expect(runs.map(\.state) == [.paused])
        }
    }

    @Test func onlyDraftsCanBeDeleted() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let sent = try await fixture.campaign(of: app, state: .sent)
            let draft = try await fixture.campaign(of: app)

            await #expect(throws: Refusal.notADraft(.sent)) {
                try await fixture.campaigns.delete(sent.id, app: app.id)
            }
            try await fixture.campaigns.delete(draft.id, app: app.id)
            #expect(try await fixture.campaigns.list(app: app.id, limit: 10).map(\.id) == [sent.id])
        }
    }
}
