import Campaigns
import JSON
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct SegmentStoreTests {
    private static let vip = Audience(include: .tag("vip"))

    @Test func segmentIsCreatedReadUpdatedAndDeleted() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let segments = fixture.stores.segments
            let made = try await segments.create(app: app, name: "VIP", audience: Self.vip)
            #expect(try await segments.find(made.id, app: app) == made)

            let changed = try await segments.update(
                made.id, app: app, version: 1, name: "V", audience: Audience(exclude: .tag("x")))
            #expect(changed.version == 2 && changed.audience.exclude == .tag("x"))
            await #expect(throws: Refusal.versionConflict(current: 2)) {
                try await segments.update(made.id, app: app, version: 1, name: "V", audience: Self.vip)
            }
            let archived = try await segments.setArchived(true, made.id, app: app)
            #expect(archived.archivedAt != nil && archived.version == 2)
            await #expect(throws: Refusal.segmentArchived) {
                try await segments.update(made.id, app: app, version: 2, name: "V", audience: Self.vip)
            }
            var archive = ListFilter()
            archive.isArchived = true
            #expect(try await segments.list(app: app, limit: 9).isEmpty)
            #expect(try await segments.list(app: app, archive, limit: 9) == [archived])
            let other = try await fixture.app("com.example.Other").id
            await #expect(throws: Refusal.notFound(.segment)) { try await segments.delete(made.id, app: other) }
            try await segments.delete(made.id, app: app)
            await #expect(throws: Refusal.notFound(.segment)) { try await segments.find(made.id, app: app) }
            // The segment was deleted between the check and the save.
            await #expect(throws: Refusal.notFound(.segment)) {
                try await segments.create(app: app, name: "V", audience: Audience(include: .segment(made.id)))
            }
            await #expect(throws: Refusal.notFound(.app)) {
                try await segments.create(app: App.ID(rawValue: 999), name: "V", audience: Self.vip)
            }
        }
    }

    @Test func usedSegmentsCannotBeDeleted() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let segments = fixture.stores.segments
            let inner = try await segments.create(app: app.id, name: "inner", audience: Self.vip)
            let outer = try await segments.create(
                app: app.id, name: "outer", audience: Audience(include: .segment(inner.id)))
            let campaign = try await fixture.campaign(of: app)
            let audience = Audience(include: .any([.segment(inner.id), .segment(outer.id), .segment(inner.id)]))
            for _ in 0..<2 {
                try await fixture.pool.execute(
                    SegmentReferences.replace(of: .campaign(campaign.id), app: app.id, with: audience))
            }

            let users = try await segments.usedBy(inner.id, app: app.id, limit: 9)
            #expect(
                users == [
                    SegmentUse(user: .segment(outer.id), name: "outer"),
                    SegmentUse(user: .campaign(campaign.id), name: "Sale"),
                ])
            await #expect(throws: Refusal.segmentInUse) { try await segments.delete(inner.id, app: app.id) }

            _ = try await segments.update(outer.id, app: app.id, version: 1, name: "outer", audience: Self.vip)
            try await fixture.campaigns.delete(campaign.id, app: app.id)
            try await segments.delete(inner.id, app: app.id)

            // Deleting the app deletes all of its segments, used or not.
            let last = try await segments.create(
                app: app.id, name: "last", audience: Audience(include: .segment(outer.id)))
            try await fixture.apps.delete(app.id)
            await #expect(throws: Refusal.notFound(.segment)) { try await segments.find(last.id, app: app.id) }
        }
    }

    @Test func cyclesAndDeepNestingAreRejected() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let segments = fixture.stores.segments
            let first = try await segments.create(app: app, name: "1", audience: Self.vip)
            var top = first
            for number in 2...4 {
                top = try await segments.create(
                    app: app, name: "\(number)", audience: Audience(include: .segment(top.id)))
            }
            let highest = top.id
            #expect(
                try await segments.resolve(member: Audience(include: .segment(highest)), app: app).audience == Self.vip)

            func codes(_ save: () async throws -> SegmentRecord) async throws -> [String] {
                do {
                    _ = try await save()
                    return []
                } catch let error as Problems {
                    return error.problems.map { "\($0.path): \($0.code)" }
                }
            }
            let over = Audience(include: .segment(highest))
            #expect(
                try await codes { try await segments.create(app: app, name: "5", audience: over) }
                    == ["audience.include.segment: segments-too-deep"])
            #expect(
                try await codes {
                    try await segments.update(first.id, app: app, version: 1, name: "1", audience: over)
                } == ["audience.include.segment: segment-cycle"])
            #expect(try await segments.find(first.id, app: app).version == 1)
        }
    }

    @Test func missingSegmentIsReportedAndArchivedOnesStillWork() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let segments = fixture.stores.segments
            let made = try await segments.create(app: app, name: "1", audience: Self.vip)
            _ = try await segments.setArchived(true, made.id, app: app)
            let audience = Audience(exclude: .not(.segment(made.id)))
            #expect(
                try await segments.resolve(member: audience, app: app).audience == Audience(exclude: .not(.tag("vip"))))
            let other = try await fixture.app("com.example.Other").id
            do {
                _ = try await segments.resolve(member: audience, app: other)
                Issue.record("another app's segment was used")
            } catch let error as Problems {
                #expect(error.problems.map(\.path) == ["audience.exclude.not.segment"])
            }
        }
    }

    @Test func unknownReferencesAreReported() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let check = fixture.stores.audienceChecks
            func problems(_ text: String) async throws -> [String] {
                try await check.check(JSON(parsing: text), app: app.id).problems.map { "\($0.path): \($0.code)" }
            }
            let plan = #"{"include":{"attribute":"plann.x","op":"exists"}}"#
            #expect(try await problems(plan) == [])
            try await fixture.pool.execute(
                """
                INSERT INTO known_attributes (app_id, name, longest)
                VALUES (\(app.id), '$model', 3), (\(app.id), 'plan', 3)
                """)
            #expect(try await problems(plan) == ["include.attribute: unknown-attribute"])
            let said = try await check.check(JSON(parsing: plan), app: app.id).problems[0].message
            #expect(said.description.hasSuffix("did you mean plan?"))
            #expect(
                try await problems(#"{"include":{"attribute":"$model","op":"exists"}}"#)
                    == ["include.attribute: unknown-attribute"])

            let campaign = try await fixture.campaign(of: app).id
            _ = try await fixture.stores.topics.create(
                app: app.id, key: TopicKey("offers"), Localized(name: "Offers"))
            let segments = fixture.stores.segments
            let segment = try await segments.create(app: app.id, name: "1", audience: Self.vip).id
            let text = """
                {"include":{"all":[{"event":"opened","campaign":"\(campaign)"},{"opted_out":"offers"},
                {"segment":"\(segment)"},{"attribute":"plan","op":"is","value":"x"}]}}
                """
            #expect(try await problems(text) == [])
            _ = try await segments.setArchived(true, segment, app: app.id)
            #expect(try await problems(text) == ["include.all[2].segment: segment-archived"])
            #expect(
                try await problems(
                    #"{"include":{"event":"opened","campaign":"999"},"exclude":{"any":[{"opted_out":"offer"},{"segment":"999"}]}}"#
                ) == [
                    "include.campaign: unknown-campaign", "exclude.any[0].opted_out: unknown-topic",
                    "exclude.any[1].segment: unknown-segment",
                ])
            #expect(try await problems(#"{"include":7}"#) == ["include: wrong-type"])
        }
    }
}
