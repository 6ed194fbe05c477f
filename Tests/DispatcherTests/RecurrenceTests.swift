import APNSSimulator
import Application
import Campaigns
import Dispatcher
import JSON
import Notifications
import Postgres
import Store
import Testing

extension DispatcherSuite {
    /// Rules that repeat, and what changes between planning and sending.
    @Suite struct RecurrenceTests {
        private static let hour = 3_600

        private static func now(_ bench: DispatcherFixture) async throws -> Int {
            try await bench.pool.query("SELECT floor(extract(epoch FROM now()))::bigint")[0][0]
        }

        /// Each day or week, when the recipients' clocks show what UTC's shows so many seconds from now.
        private static func rule(
            _ text: String, in seconds: Int, ifPast: LocalTimePolicy = .nextDay, _ bench: DispatcherFixture
        ) async throws -> Schedule {
            try rule(text, from: try #require(CivilTime(seconds: try await now(bench) + seconds)), ifPast: ifPast)
        }

        private static func rule(
            _ text: String, from start: CivilTime, ifPast: LocalTimePolicy = .nextDay
        ) throws -> Schedule {
            .recurring(Recurrence(rule: try RecurrenceRule(text), start: start, clock: .recipient(ifPast: ifPast)))
        }

        private static func draft(_ schedule: Schedule, _ bench: DispatcherFixture) async throws -> CampaignRecord {
            var content = CampaignContent(name: "Ring", payload: #"{"aps":{"alert":"Ding"}}"#)
            content.schedule = schedule
            return try await bench.campaigns.create(app: bench.app, content)
        }

        @Test func occurrenceStartedEarlyIsNotStartedAgain() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                // In five minutes on the world's first clock, so it is being planned.
                let start = try #require(CivilTime(seconds: try await Self.now(bench) + 14 * Self.hour + 300))
                let daily = try Self.rule("FREQ=DAILY", from: start)
                let made = try await Self.draft(daily, bench)
                _ = try await bench.campaigns.schedule(made.id, app: bench.app)
                let starts = bench.starter
                #expect(try await starts.startDue().count == 1)

                let again = try await bench.campaigns.schedule(made.id, app: bench.app)
                #expect(try await starts.startDue().isEmpty)
                var content = again.content
                content.schedule = try Self.rule("FREQ=DAILY;COUNT=9", from: start)
                _ = try await bench.campaigns.update(made.id, app: bench.app, version: again.version, to: content)
                #expect(try await starts.startDue().isEmpty)
                _ = try await bench.campaigns.unschedule(made.id, app: bench.app)
                let next = try await bench.campaigns.schedule(made.id, app: bench.app)
                #expect(try await starts.startDue().isEmpty)
                // Tomorrow's comes.
                let ahead = try #require(next.nextCheckAt).secondsSince1970 - Double(try await Self.now(bench))
                #expect(abs(ahead - 86_400 + 300) < 60)
            }
        }

        @Test func firstOccurrenceReachesTimeZonesStillAhead() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                try await bench.pool.execute(
                    """
                    UPDATE devices
                    SET time_zone = CASE installation WHEN '1' THEN 'Asia/Tokyo' ELSE 'UTC' END
                    """)
                // In an hour in UTC; in Tokyo it is past.
                let weekly = try await Self.rule("FREQ=WEEKLY", in: Self.hour, ifPast: .skip, bench)
                let made = try await Self.draft(weekly, bench)
                _ = try await bench.campaigns.schedule(made.id, app: bench.app)
                guard case .run(let key) = try await bench.starter.startDue().first else {
                    Issue.record("nothing was started")
                    return
                }
                let run = key.id
                try await bench.plan(run)
                let deliveries = try await bench.deliveries()
                #expect(deliveries[1]?.reason == "local time past")
                #expect(deliveries[2]?.kind == .pending)
                let due: Double = try await bench.pool.query(
                    "SELECT extract(epoch FROM due_at - now())::float8 FROM batches WHERE pending > 0")[0][0]
                #expect(abs(due - Double(Self.hour)) < 60)
            }
        }

        @Test func timeZonesPastADailyTimeGetTomorrowsOccurrenceOnce() async throws {
            try await DispatcherFixture.run { bench in
                let daily = try await Self.rule("FREQ=DAILY", in: Self.hour, bench)
                let weekly = try await Self.rule("FREQ=WEEKLY", in: Self.hour, bench)
                func policy(_ schedule: Schedule) -> LocalTimePolicy? {
                    guard case .local(_, let policy, _) = schedule.next(after: 0) else { return nil }
                    return policy
                }
                #expect(policy(daily) == .skip)
                #expect(policy(weekly) == .nextDay)
            }
        }

        @Test func localTimeStartedLateIsSentImmediately() async throws {
            for policy in [LocalTimePolicy.skip, .nextDay] {
                try await DispatcherFixture.run { bench in
                    try await bench.addDevices(1...2)
                    // Past on the world's last clock, for longer than the grace.
                    let time = try #require(CivilTime(seconds: try await Self.now(bench) - 14 * Self.hour))
                    var content = CampaignContent(name: "Late", payload: #"{"aps":{"alert":"Ding"}}"#)
                    content.schedule = .local(time, ifPast: policy)
                    content.missedStart = MissedStart(grace: 1_800, policy: .send)
                    let made = try await bench.campaigns.create(app: bench.app, content)
                    try await bench.pool.execute(
                        """
                        UPDATE campaigns
                        SET state = 'scheduled', next_check_at = now(), handled_until = now() - interval '3 days'
                        """)
                    try await bench.work()
                    let run = try await bench.run(of: made.id)
                    #expect(run.ledger[.accepted] == 2 && run.isBalanced)
                }
            }
        }

        @Test func localTimePastForAllRecipientsFailsWithAReason() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                let time = try #require(CivilTime(seconds: try await Self.now(bench) - 14 * Self.hour))
                for isByHand in [true, false] {
                    let made = try await Self.draft(.local(time, ifPast: .skip), bench)
                    if isByHand { _ = try await bench.campaigns.start(made.id, app: bench.app) }
                    // Within its grace all the same.
                    try await bench.pool.execute(
                        """
                        UPDATE campaigns SET grace_seconds = 36000, state = CASE WHEN \(isByHand) THEN state ELSE 'scheduled' END,
                            next_check_at = now(), handled_until = now() - interval '3 days'
                        WHERE id = \(made.id)
                        """)
                    let starts = try await bench.starter.startDue()
                    guard case .refused(Campaign.Key(app: bench.app, id: made.id), let words) = starts.first else {
                        Issue.record("\(starts)")
                        continue
                    }
                    #expect(words.description.hasPrefix("The local time is past everywhere in the world"))
                }
            }
        }

        @Test func slowBatchUsesCurrentTokensAndPermissions() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...30)
                let campaign = try await bench.campaign { $0.pushesPerSecond = 10 }
                var options = DispatcherFixture.options
                options.recipientsValidity = .milliseconds(200)
                bench.phones.add(
                    token: DispatcherFixture.token(99), environment: .production, topic: DispatcherFixture.bundleID)
                try await bench.work(options) {
                    await bench.record.waitUntilAccepted(3)
                    try await bench.pool.execute(
                        "UPDATE devices SET authorization_status = 1 WHERE installation = '30'")
                    try await bench.pool.execute(
                        "UPDATE devices SET token = \(DispatcherFixture.token(99)) WHERE installation = '29'")
                }
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 29 && run.ledger[.suppressed] == 1)
                #expect(bench.accepted(99) == 1 && bench.requests(29) == 0 && bench.requests(30) == 0)
            }
        }

        @Test func optOutsAndDenialsAfterPlanningAreSuppressed() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...5)
                let topics = bench.stores.topics
                let news = try TopicKey("news")
                _ = try await topics.create(app: bench.app, key: news, Localized(name: "News"))
                _ = try await bench.campaign(topic: news)
                guard case .run(let key) = try await bench.starter.startDue().first else {
                    Issue.record("nothing was started")
                    return
                }
                let run = key.id
                try await bench.plan(run)
                try await bench.pool.execute(
                    """
                    UPDATE devices SET authorization_status = CASE installation WHEN '1' THEN 1 ELSE 2 END,
                        opt_outs = CASE installation
                            WHEN '2' THEN '{news}' WHEN '3' THEN '{other}' WHEN '5' THEN '{*}' ELSE '{}'
                        END::text[]
                    """)
                try await bench.work()
                let deliveries = try await bench.deliveries()
                #expect(deliveries[1]?.reason == "notifications denied")
                #expect(deliveries[2]?.reason == "opted out of the topic")
                #expect(deliveries[5]?.reason == "opted out of all campaigns")
                #expect((1...5).map(bench.requests) == [0, 0, 1, 1, 0])
                #expect(try await bench.runs.find(run, app: bench.app).isBalanced)
            }
        }

        @Test func backgroundPushesNeedNoPermission() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                try await bench.pool.execute("UPDATE devices SET authorization_status = 1 WHERE installation = '1'")
                var content = CampaignContent(
                    name: "Refresh", payload: #"{"aps":{"content-available":1}}"#, pushType: .background,
                    priority: .powerAware)
                content.unknownPolicy = .leave
                let made = try await bench.campaigns.create(app: bench.app, content)
                _ = try await bench.campaigns.start(made.id, app: bench.app)
                try await bench.work()
                #expect(try await bench.run(of: made.id).ledger[.accepted] == 2)
            }
        }

        // MARK: The cap

        @Test(arguments: [(22, 1, 0), (23, 0, 1), (25, 0, 1)])
        func dailyCapDoesNotAffectDailyCampaigns(_ hours: Int, _ suppressed: Int, _ accepted: Int) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.pool.execute("UPDATE apps SET frequency_cap_count = 1, frequency_cap_days = 1")
                _ = try await bench.campaign()
                try await bench.work()
                // A day with a change of clocks has 23 hours.
                try await bench.pool.execute(
                    "UPDATE batches SET due_at = now() - make_interval(hours => \(Int32(hours)))")
                let second = try await bench.campaign()
                try await bench.work(runs: 2)
                let ledger = try await bench.run(of: second).ledger
                #expect(ledger[.suppressed] == suppressed && ledger[.accepted] == accepted)
            }
        }

        @Test func capCountsAroundEachDueTime() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                try await bench.pool.execute(
                    """
                    UPDATE devices
                    SET time_zone = CASE installation WHEN '1' THEN 'UTC' ELSE 'America/Phoenix' END
                    """)
                try await bench.pool.execute("UPDATE apps SET frequency_cap_count = 1, frequency_cap_days = 1")
                _ = try await bench.campaign()
                try await bench.work()
                // In UTC in 17 hours, that is too soon after; in Phoenix in 24.
                let time = try #require(CivilTime(seconds: try await Self.now(bench) + 17 * Self.hour))
                let local = try await bench.campaign { $0.schedule = .local(time, ifPast: .send) }
                let record = try await bench.campaigns.find(local, app: bench.app)
                let forecast = try await bench.forecasts.forecast(record).forecast
                #expect(forecast.suppressed == [.init("frequency cap", 1)] && forecast.sent == 1)
                guard case .run(let key) = try await bench.starter.startDue().first else {
                    Issue.record("nothing was started")
                    return
                }
                let run = key.id
                try await bench.plan(run)
                let deliveries = try await bench.deliveries(of: run)
                #expect(deliveries[1]?.reason == "frequency cap")
                #expect(deliveries[2]?.kind == .pending)

                // In three days, every recipient's last push is more than a day old.
                let later = try await Self.draft(.at(try await Self.now(bench) + 3 * 86_400), bench)
                #expect(try await bench.forecasts.forecast(later).forecast.suppressed.isEmpty)
            }
        }
    }
}
