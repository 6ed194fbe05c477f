import Administration
import Application
import Campaigns
import JSON
import Notifications
import Postgres
import Store
import TestSupport
import Testing

extension DispatcherSuite {
    /// Schedules become runs, whatever happened to clocks and to the campaign meanwhile.
    @Suite struct ScheduleStartTests {
        private static func content(_ alert: String, _ schedule: Schedule) -> CampaignContent {
            var content = CampaignContent(name: alert, payload: #"{"aps":{"alert":""# + alert + #""}}"#)
            content.schedule = schedule
            content.audience = Audience(include: .tag(alert.lowercased()))
            return content
        }

        /// Its first occurrence lies in the other half of the year, where clocks are moved twice a year.
        @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
        func recurringLocalTimeFollowsClockChanges(_ zone: String) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.pool.changeDevices("tags = '{daily}'")
                // PostgreSQL's own word for it.
                let expected = try await bench.pool.query(
                    """
                    SELECT to_char(day - 182, 'YYYY-MM-DD"T09:30:00"'),
                        extract(epoch FROM (day + time '09:30') AT TIME ZONE \(zone))::bigint,
                        extract(epoch FROM (day + 1 + time '09:30') AT TIME ZONE \(zone))::bigint
                    FROM (SELECT (now() AT TIME ZONE \(zone) - interval '9 hours 30 minutes')::date AS day) AS last
                    """)[0]
                let daily = Recurrence(
                    rule: try RecurrenceRule("FREQ=DAILY"), start: try CivilTime(try expected[0, as: String.self]),
                    clock: .zone(zone))
                var content = Self.content("Daily", .recurring(daily))
                content.missedStart = MissedStart(grace: 172_800, policy: .send)
                let made = try await bench.campaigns.create(app: bench.app, content)
                _ = try await bench.campaigns.schedule(made.id, app: bench.app)
                // Nobody was there for three days.
                try await bench.pool.execute(
                    "UPDATE campaigns SET next_check_at = now(), handled_until = now() - interval '3 days'")

                let starts = try await bench.starter.startDue()

                #expect(starts.count == 1)
                #expect(try await bench.run(of: made.id).occurrence == .at(try expected[1]))
                let next = try await bench.campaigns.find(made.id, app: bench.app).nextCheckAt
                #expect(next?.secondsSince1970 == Double(try expected[2, as: Int.self]))
                let record = try #require(
                    try await bench.stores.audit.list(AuditStore.Filter(), before: nil, limit: 1).first)
                #expect(record.entry.actor.kind == .schedule && record.entry.action == "campaigns.start")
                #expect(record.entry.resource == "/v1/apps/\(bench.app)/campaigns/\(made.id)")
            }
        }

        @Test func missedStartIsRecordedWithItsReason() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                let now: Int = try await bench.pool.query("SELECT floor(extract(epoch FROM now()))::bigint")[0][0]
                var content = Self.content("Late", .at(now - 7_200))
                content.missedStart = MissedStart(grace: 60, policy: .skip)
                let made = try await bench.campaigns.create(app: bench.app, content)
                try await bench.pool.execute(
                    """
                    UPDATE campaigns SET state = 'scheduled', next_check_at = now() - interval '2 hours',
                        handled_until = now() - interval '3 hours'
                    WHERE id = \(made.id)
                    """)
                #expect(try await bench.starter.startDue().count == 1)
                let records = try await bench.stores.audit.list(AuditStore.Filter(), before: nil, limit: 5)
                #expect(records.count == 1 && records.first?.entry.actor.kind == .schedule)
                #expect(records.first?.entry.after?.contains("reason") == true)
            }
        }

        @Test func editDuringTheStartIsSentCompletelyOrRefused() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.pool.changeDevices("tags = '{old, new}'")
                let starts = bench.starter
                for round in 1...40 {
                    let now: Int = try await bench.pool.query("SELECT floor(extract(epoch FROM now()))::bigint")[0][0]
                    let made = try await bench.campaigns.create(app: bench.app, Self.content("Old", .at(now)))
                    try await bench.pool.execute(
                        """
                        UPDATE campaigns SET state = 'scheduled', next_check_at = now() - interval '1 s',
                            handled_until = now() - interval '1 hour'
                        WHERE id = \(made.id)
                        """)
                    async let starting = starts.startDue()
                    for _ in 0..<round % 8 { await Task.yield() }
                    let isEdited: Bool
                    do {
                        _ = try await bench.campaigns.update(
                            made.id, app: bench.app, version: made.version, to: Self.content("New", .at(now)))
                        isEdited = true
                    } catch is Refusal {
                        isEdited = false
                    }
                    _ = try await starting
                    _ = try await starts.startDue()
                    let runs = try await bench.pool.query(
                        """
                        SELECT payload #>> '{aps,alert}' || audience::text
                        FROM runs r JOIN run_variants ON run_id = r.id WHERE campaign_id = \(made.id)
                        """)
                    let sent = Self.content(isEdited ? "New" : "Old", .at(now))
                    #expect(
                        try runs.map { try $0[0, as: String.self] } == [
                            sent.name + String(decoding: sent.audience.json.encoded(), as: UTF8.self)
                        ])
                }
            }
        }
    }
}
