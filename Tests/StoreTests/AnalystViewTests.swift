import Campaigns
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// The views for analysts.
struct AnalystViewTests {
    /// A run with three recipients, one of whom was deferred; two acknowledged. And a transactional push.
    private static func fill(_ fixture: StoreFixture) async throws -> Run.ID {
        let app = try await fixture.app()
        try await fixture.pool.insertDevices(
            1...3, of: app.id,
            [
                "environment": "1", "installation": "'phone ' || n", "kind": "1", "authorization_status": "3",
                "tags": "'{vip}'",
            ])
        try await fixture.pool.execute(DeviceDays.count(.new, in: "devices"))
        let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
        let early = try await fixture.batch(of: run, app: app.id, outcomes: [45, 1 | 0x80, 2])
        try await fixture.batch(of: run, app: app.id, first: 3, outcomes: [1], deferredFrom: early)
        try await fixture.pool.execute(
            """
            INSERT INTO batches (app_id, message_number, message_key_version, first_id, last_id, size, pending, accepted,
                sent_through, environment, outcomes, recipients, state)
            VALUES (\(app.id), 77, 1, 2, 2, 1, 0, 1, 1, 0, '\\x01', '{2}', 'done')
            """)
        try await fixture.pool.execute(
            """
            INSERT INTO push_recipients (app_id, device_id, message_number)
            SELECT app_id, 2, message_number FROM batches WHERE message_number = 77
            """)
        try await fixture.pool.execute(
            """
            INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
            SELECT \(app.id), coalesce(e.number, r.message_number), e.device, e.kind, now()
            FROM run_variants r, (VALUES (NULL, 2, 1), (NULL, 2, 3), (NULL, 3, 3), (77, 2, 3)) AS e (number, device, kind)
            """)
        return run
    }

    @Test func profilesNameTheirTags() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            for tags in ["{gold}", "{gold,vip}", "{vip}", "{}"] {
                try await fixture.pool.insertDevice(tags, of: app.id, ["tags": "\(tags)::text::text[]"])
            }
            let tags = try await fixture.pool.query("SELECT array_to_string(tags, ' ') FROM bi.profiles ORDER BY 1")
            #expect(try tags.map { try $0[0, as: String.self] } == ["", "gold", "gold vip", "vip"])
        }
    }

    @Test func everyRecipientHasOneRowWithTheLastOutcome() async throws {
        try await StoreFixture.run { fixture in
            let run = try await Self.fill(fixture)
            let rows = try await fixture.pool.query(
                """
                SELECT concat_ws(' ', device_id, outcome, coalesce(reason, '-'), is_resent, was_deferred) FROM bi.deliveries
                WHERE run_id = \(run) ORDER BY device_id
                """)
            #expect(
                try rows.map { try $0[0] } == [
                    "1 rejected Unregistered f f", "2 accepted - t f", "3 accepted - f t",
                ])
            let deferrals = try await fixture.pool.query("SELECT device_id FROM bi.deferrals WHERE run_id = \(run)")
            #expect(try deferrals.map { try $0[0] as Int64 } == [3])
            let pushes = try await fixture.pool.query(
                "SELECT device_id, outcome FROM bi.deliveries WHERE message_number = 77 AND run_id IS NULL")
            #expect(try pushes.count == 1 && pushes[0][1] == "accepted")
        }
    }

    /// They are in no other view, so they would count as events of nobody's push.
    @Test func eventsOfTestPushesAreLeftOut() async throws {
        try await StoreFixture.run { fixture in
            _ = try await Self.fill(fixture)
            try await fixture.pool.execute("UPDATE events SET message_number = 78 WHERE message_number = 77")
            let rows = try await fixture.pool.query("SELECT DISTINCT run_id IS NULL FROM bi.acknowledgements")
            #expect(try rows.map { try $0[0, as: Bool.self] } == [false])
        }
    }

    @Test func obviousJoinFindsTheAcknowledgements() async throws {
        try await StoreFixture.run { fixture in
            let run = try await Self.fill(fixture)
            let rows = try await fixture.pool.query(
                """
                SELECT count(DISTINCT d.device_id), count(DISTINCT a.device_id) FILTER (WHERE a.kind = 'opened')
                FROM bi.deliveries d LEFT JOIN bi.acknowledgements a USING (run_id, device_id)
                WHERE run_id = \(run)
                """)
            #expect(try rows[0][0] == 3 && rows[0][1] == 2)
            let pushes = try await fixture.pool.query(
                """
                SELECT a.kind FROM bi.deliveries d JOIN bi.acknowledgements a USING (app_id, message_number, device_id)
                WHERE d.message_number = 77
                """)
            #expect(try pushes.map { try $0[0] } == ["opened"])
            let history = try await fixture.pool.query(
                """
                SELECT h.outcome, h.run_id IS NULL, h.reason
                FROM bi.devices_current l CROSS JOIN LATERAL bi.device_history(l.app_id, l.device_id) h
                WHERE l.installation = '~2'
                """)
            #expect(try history.map { try $0[0] } == ["accepted", "accepted"])
            #expect(try history.map { try $0[1] as Bool } == [true, false])
            #expect(try history.map { try $0[2] as String? } == [nil, nil])
        }
    }

    /// Of a campaign as it is now, and of what a run has sent.
    @Test func ownContentsOfCampaignsAndRunsAreShown() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            func body(_ text: String) -> CampaignContent.Body {
                .content(#"{"payload":{"aps":{"alert":"\#(text)"}}}"#)
            }
            let campaign = try await fixture.campaigns.create(
                app: app.id, CampaignContent(name: "Sale", body: body("now")))
            _ = try await fixture.run(of: campaign)
            try await fixture.pool.execute(
                """
                UPDATE run_variants SET payload = NULL, content = '{"payload":{"aps":{"alert":"then"}}}'
                """)
            for (view, text) in [("campaigns", "now"), ("variant_funnel", "then")] {
                let rows = try await fixture.pool.query(
                    "SELECT content #>> '{payload,aps,alert}', payload IS NULL FROM bi.\(unescaped: view)")
                #expect(try rows[0][0, as: String.self] == text && rows[0][1, as: Bool.self], "\(view)")
            }
        }
    }

    @Test func devicesHaveTextsInPlaceOfNumbers() async throws {
        try await StoreFixture.run { fixture in
            _ = try await Self.fill(fixture)
            let rows = try await fixture.pool.query(
                "SELECT DISTINCT concat_ws(' ', kind, environment, authorization_status, registered) FROM bi.devices_current"
            )
            #expect(try rows.map { try $0[0] } == ["voip development provisional t"])
        }
    }

    @Test func viewsOfCountsAgreeWithTheAPI() async throws {
        try await StoreFixture.run { fixture in
            let run = try await Self.fill(fixture)
            try await fixture.pool.execute(
                """
                UPDATE runs SET state = 'finished', finished_at = now(), verified_at = now(), targeted = 3, accepted = 2,
                    rejected = 1, suppressed = 0, expired = 0, cancelled = 0, unknown = 0, deferred = 0, resent = 0
                """)
            let app = try await Self.owner(of: run, fixture)
            try await fixture.stores.runHistory.recount(app)
            let record = try await fixture.runs.find(run, app: app)
            let funnel = try await fixture.pool.query("SELECT * FROM bi.campaign_funnel WHERE run_id = \(run)")[0]
            #expect(try funnel["delivered"] == record.delivered && funnel["opened"] == record.opened)
            #expect(try funnel["accepted"] == record.ledger[.accepted] && funnel["is_verified"] == true)
            let totals = try #require(
                try await fixture.stores.statistics.totals(app: app, .init(), by: .total).first?.counts)
            for (view, condition) in [
                ("events_daily", "true"), ("breakdowns", "dimension = 'total'"), ("events_by_quarter", "true"),
            ] {
                let isNamed = view != "events_daily"
                let sums: [(String, Measure)] = [("opened", .opened), ("accepted", .accepted), ("rejected", .rejected)]
                for (name, measure) in sums {
                    let sum = isNamed ? "sum(count) FILTER (WHERE measure = '\(name)')" : "sum(\(name))"
                    let rows = try await fixture.pool.query(
                        PostgresQuery(
                            unescaped: "SELECT coalesce(\(sum), 0)::bigint FROM bi.\(view) WHERE \(condition)"))
                    #expect(try rows[0][0] == totals[measure], "\(name) of \(view)")
                }
            }
            let new = try await fixture.pool.query("SELECT sum(new)::bigint FROM bi.devices_daily")
            #expect(try new[0][0] == 3)
        }
    }

    private static func owner(of run: Run.ID, _ fixture: StoreFixture) async throws -> App.ID {
        try await fixture.pool.query("SELECT app_id FROM runs WHERE id = \(run)")[0][0]
    }
}
