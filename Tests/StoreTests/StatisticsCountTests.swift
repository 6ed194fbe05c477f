import Campaigns
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// The counts of statistics equal a recount of the rows, whatever happened.
struct StatisticsCountTests {
    private static let devices = 400

    private static func count(_ pool: PostgresPool, _ table: String, _ condition: String) async throws -> Int {
        let rows = try await pool.query(
            PostgresQuery(unescaped: "SELECT coalesce(sum(count), 0)::bigint FROM \(table) WHERE \(condition)"))
        return try rows[0][0]
    }

    @Test(arguments: [1, 2, 3]) func countsEqualARecountAfterARandomHistory(seed: UInt64) async throws {
        try await StoreFixture.run { fixture in
            var generator = SeededGenerator(seed: seed)
            let app = try await fixture.app()
            try await fixture.pool.insertDevices(
                1...Self.devices, of: app.id,
                [
                    "environment": "n % 2", "locale": "(ARRAY['en', 'de', NULL])[1 + n % 3]",
                    "os_version": "'18.' || n % 5", "app_version": "'4.' || n % 7",
                    "tags": "CASE WHEN n % 4 = 0 THEN '{vip}' ELSE '{}' END::text[]",
                ])
            var messages: [Int64] = []
            for _ in 0..<3 {
                messages.append(try await Self.plan(fixture, app, using: &generator))
                try await Self.changeDevices(fixture, app, using: &generator)
                try await Self.acknowledge(fixture, app, messages, using: &generator)
            }
            messages.append(try await Self.push(fixture, app, using: &generator))
            #expect(try await fixture.finishRuns().allSatisfy(\.isVerified))
            try await Self.acknowledge(fixture, app, messages, using: &generator)
            #expect(try await fixture.stores.statistics.differencesFromRows() == [])
            let targeted = try await Self.count(fixture.pool, "message_totals", "dimension = 0 AND measure > 10")
            #expect(targeted == 3 * Self.devices + 50)
            let byLocale = try await Self.count(fixture.pool, "message_totals", "dimension = 1 AND measure > 10")
            #expect(byLocale == targeted)
            let opened = try await Self.count(fixture.pool, "message_totals", "dimension = 0 AND measure = 3")
            let byDelay = try await Self.count(fixture.pool, "message_totals", "dimension = 7")
            let rows = try await fixture.pool.query("SELECT count(*) FROM events WHERE kind = 3")
            #expect(try opened > 0 && opened == byDelay && rows[0][0] == opened)
            try await Self.expectReportsToAgree(fixture, app)
            try await Self.expectMergingToChangeNothing(fixture, app)
            try await fixture.stores.runHistory.recount(app.id)
            #expect(try await fixture.stores.statistics.differencesFromRows() == [])
            #expect(try await Self.count(fixture.pool, "message_totals", "dimension = 0 AND measure > 10") == targeted)
        }
    }

    /// Merges the counts as if a week had passed, twice: with late events between.
    private static func expectMergingToChangeNothing(_ fixture: StoreFixture, _ app: AppRecord) async throws {
        let counts = fixture.stores.statistics
        func answers() async throws -> [[StatisticsStore.Counts]] {
            let (since, until) = (Timestamp.now - .seconds(30 * 86_400), Timestamp.now + .seconds(86_400))
            return [
                try await counts.totals(app: app.id, .init(), by: .total).map(\.counts),
                try await counts.totals(app: app.id, .init(), by: .locale).sorted { $0.value < $1.value }.map(\.counts),
                try await counts.totalsByCampaign(app: app.id, .init()).sorted { $0.value < $1.value }.map(\.counts),
                try await counts.series(
                    app: app.id, unit: .hour, zone: try #require(ZoneClock(named: "Asia/Kolkata")), since: since,
                    until: until
                )
                .map(\.counts),
                try await counts.byHourOfDay(app: app.id, zone: ZoneClock(fixed: 0), since: since, until: until).map(
                    \.counts),
            ]
        }
        // A quarter of an hour keeps its place in the day.
        let (tables, week) = (["message_totals": "sent_on", "app_quarters": "quarter"], "interval '7 days'")
        for (table, column) in tables {
            let type = column == "sent_on" ? "::date" : ""
            try await fixture.pool.execute(
                PostgresQuery(unescaped: "UPDATE \(table) SET \(column) = (\(column) - \(week))\(type)"))
        }
        let before = try await answers()
        while try await fixture.stores.countMerges.mergeStep() > 0 {}
        let left = try await fixture.pool.query(
            "SELECT (SELECT count(*) FROM message_totals WHERE shard > 0), (SELECT count(*) FROM app_quarters)")[0]
        #expect(try left[0] == 0 && left[1] == 0)
        #expect(try await answers() == before)
        // A merged row gets more.
        try await fixture.pool.execute(
            """
            INSERT INTO message_totals (app_id, message_number, campaign_id, count, sent_on, dimension, measure, shard, value)
            SELECT app_id, message_number, campaign_id, 3, sent_on, dimension, measure, 1, value
            FROM message_totals WHERE dimension = 0 AND measure = 1
            """)
        let late = try await answers()
        #expect(late[0][0][.delivered] > before[0][0][.delivered])
        while try await fixture.stores.countMerges.mergeStep() > 0 {}
        #expect(try await answers() == late)
    }

    /// Plans a run, and gives its recipients random outcomes. Returns its message number.
    private static func plan(
        _ fixture: StoreFixture, _ app: AppRecord, using generator: inout SeededGenerator
    ) async throws -> Int64 {
        let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
        try await fixture.pool.execute(
            "UPDATE runs SET device_ceiling = (SELECT max(id) FROM devices) WHERE id = \(run)")
        let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
        let plans = fixture.stores.plans(owner: ProcessID())
        while try await plans.step(run, by: rules, size: 150, lease: .seconds(60), to: .simulator) != .finished {}
        let batches = try await fixture.pool.query("SELECT id, size FROM batches WHERE run_id = \(run)")
        for batch in batches {
            let size: Int32 = try batch[1]
            let outcomes = (0..<size).map { _ in [UInt8(1), 1, 1, 45, 6, 3].randomElement(using: &generator)! }
            func number(_ code: UInt8) -> Int { outcomes.count { $0 == code } }
            try await fixture.pool.execute(
                """
                UPDATE batches SET state = 'done', outcomes = \(outcomes), pending = 0, sent_through = size,
                    accepted = \(number(1)), rejected = \(number(45)), unknown = \(number(6)), expired = \(number(3)),
                    ended_at = now() + make_interval(mins => \(Int32.random(in: 0...40, using: &generator)))
                WHERE id = \(try batch[0] as Int64)
                """)
        }
        return try await fixture.pool.query("SELECT message_number FROM run_variants WHERE run_id = \(run)")[0][0]
    }

    private static func changeDevices(
        _ fixture: StoreFixture, _ app: AppRecord, using generator: inout SeededGenerator
    ) async throws {
        let rest = Int.random(in: 0..<5, using: &generator)
        try await fixture.pool.changeDevices(
            "locale = CASE WHEN id % 2 = 0 THEN 'fr' END, tags = '{new}', app_version = '5'",
            where: "id % 5 = \(rest)")
    }

    /// Two processes store the same random events at the same time.
    private static func acknowledge(
        _ fixture: StoreFixture, _ app: AppRecord, _ messages: [Int64], using generator: inout SeededGenerator
    ) async throws {
        let stores = [AcknowledgementStore(pool: fixture.pool), AcknowledgementStore(pool: fixture.pool)]
        let requests = (0..<6).map { _ in
            let events = (0..<150).map { index in
                let kind = EventKind.reported.randomElement(using: &generator)!
                let details: EventDetails? =
                    kind == .converted
                    ? EventDetails(
                        action: "buy", valueMillionths: Int64.random(in: -2_000_000...9_990_000, using: &generator))
                    : kind.hasAction ? EventDetails(action: ["a", "b"].randomElement(using: &generator)!) : nil
                let time = Timestamp.now + .seconds(Double.random(in: 0...30_000, using: &generator))
                return Acknowledgement(
                    index: index, messageNumber: messages.randomElement(using: &generator)!,
                    device: Device.ID(rawValue: Int64.random(in: 1...Int64(devices), using: &generator)), kind: kind,
                    time: .device(time), details: details)
            }
            return AcknowledgementRequest(
                app: app.id, events: events, clock: EventClock(receivedAt: .now + .seconds(40_000)), forged: 1)
        }
        // Sessions are ended in between, and what failed is sent again, as a phone does.
        try await withThrowingTaskGroup { group in
            for request in requests {
                for store in stores {
                    group.addTask {
                        for _ in 0..<50 {
                            do {
                                _ = try await store.store([request, requests[0]])
                                return
                            } catch let error as PostgresError where error.isDatabaseUnavailable { continue }
                        }
                        Issue.record("not stored after 50 attempts")
                    }
                }
            }
            group.addTask {
                for _ in 0..<5 {
                    try await fixture.pool.execute(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%INTO%'
                        """)
                }
            }
            try await group.waitForAll()
        }
    }

    /// A transactional push to fifty devices. Returns its message number.
    private static func push(
        _ fixture: StoreFixture, _ app: AppRecord, using generator: inout SeededGenerator
    ) async throws -> Int64 {
        let store = fixture.stores.pushes(owner: ProcessID())
        let number = try await store.messageNumbers(1)[0]
        let outcomes = [UInt8](repeating: OutcomeCode.pending, count: 50)
        let batch = PushBatch(
            app: app.id, environment: .production, messageNumber: number, messageKeyVersion: 1,
            recipients: (1...50).map { $0 * 3 }, outcomes: outcomes)
        let inserted = try await store.insert([batch], keeping: [], lease: .seconds(60))
        let id = try #require(inserted[number])
        var ledger = Ledger()
        let answers = (0..<50).map { _ in [UInt8(1), 45].randomElement(using: &generator)! }
        ledger[.accepted] = answers.count { $0 == 1 }
        ledger[.rejected] = answers.count { $0 == 45 }
        let update = PushBatchUpdate(batch: id, outcomes: answers, ledger: ledger)
        #expect(try await store.store([update], lease: .seconds(60)) == [id])
        return number
    }

    /// The counts that `StatisticsStore` reads agree with each other and with the tables, however they are grouped.
    private static func expectReportsToAgree(_ fixture: StoreFixture, _ app: AppRecord) async throws {
        let counts = fixture.stores.statistics
        let scope = StatisticsStore.Scope()
        let total = try #require(try await counts.totals(app: app.id, scope, by: .total).first).counts
        #expect(total.targeted == 3 * devices + 50)
        for dimension in [Dimension.locale, .osVersion, .appVersion] {
            let groups = try await counts.totals(app: app.id, scope, by: dimension)
            for measure in Measure.outcomes + Measure.events {
                #expect(groups.reduce(0) { $0 + $1.counts[measure] } == total[measure], "\(dimension) \(measure)")
            }
        }
        let campaigns = try await counts.totalsByCampaign(app: app.id, scope)
        #expect(campaigns.count == 4 && campaigns.reduce(0) { $0 + $1.counts.targeted } == total.targeted)
        let (since, until) = (Timestamp.now - .seconds(86_400), Timestamp.now + .seconds(4 * 86_400))
        for unit in [StatisticsStore.Unit.hour, .day] {
            let series = try await counts.series(
                app: app.id, unit: unit, zone: try #require(ZoneClock(named: "Asia/Kathmandu")), since: since,
                until: until)
            #expect(series.reduce(0) { $0 + $1.counts[.opened] } == total[.opened])
            #expect(series.allSatisfy { ($0.start.microseconds / 60_000_000) % 60 == 15 })
        }
        let hours = try await counts.byHourOfDay(app: app.id, zone: ZoneClock(fixed: 0), since: since, until: until)
        #expect(hours.reduce(0) { $0 + $1.counts.targeted } == total.targeted)
        let runs = try await fixture.pool.query("SELECT id, campaign_id FROM runs ORDER BY id")
        for row in runs {
            let run: Run.ID = try row[0]
            let one = try await counts.totals(app: app.id, StatisticsStore.Scope(run: run), by: .total)
            let campaign = try await counts.totals(
                app: app.id, StatisticsStore.Scope(campaigns: [try row[1]]), by: .total)
            #expect(one.first?.counts == campaign.first?.counts && one.first?.counts.targeted == devices)
            let minutes = try await counts.series(
                app: app.id, run: run, unit: .minute, zone: ZoneClock(fixed: 0), since: since, until: until)
            #expect(minutes.reduce(0) { $0 + $1.counts[.accepted] } == one.first?.counts[.accepted])
        }
        let sum = try await fixture.pool.query("SELECT trim_scale(sum(value))::text FROM events")
        #expect(try sum[0][0] == total.conversionValue)
    }

    /// Transactions that count take the tables in different orders.
    @Test func recountGivesWayToATransactionThatCounts() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let history = fixture.stores.runHistory
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await fixture.pool.transaction { connection in
                    try await connection.execute("LOCK TABLE message_totals IN ROW EXCLUSIVE MODE")
                    group.addTask { try await history.recount(app) }
                    // It has the first tables, and waits for this one.
                    while try await connection.query("SELECT FROM pg_locks WHERE NOT granted").isEmpty {}
                    try await connection.execute("LOCK TABLE run_minutes, app_quarters IN ROW EXCLUSIVE MODE")
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func valuesThatCancelEachOtherOutStayInTheirQuarters() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            try await fixture.pool.execute(
                """
                INSERT INTO app_quarters (app_id, quarter, campaign_id, count, amount, measure, shard)
                SELECT \(app), date_trunc('day', now(), 'UTC') - make_interval(days => 5, hours => -hour), 1, 1, value, 7, 1
                FROM (VALUES (3, 50), (9, -50)) AS v (hour, value)
                """)
            while try await fixture.stores.countMerges.mergeStep() > 0 {}
            let hours = try await fixture.stores.statistics.byHourOfDay(
                app: app, zone: ZoneClock(fixed: 0), since: .now - .seconds(10 * 86_400), until: .now)
            #expect(hours[3].counts.conversionValue == "50" && hours[9].counts.conversionValue == "-50")
        }
    }

    @Test func refusedEventsAreCountedAndNotStored() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let request = AcknowledgementRequest(app: app.id, events: [], forged: 7)
            for _ in 0..<2 { _ = try await fixture.stores.acknowledgements.store([request]) }
            #expect(try await Self.count(fixture.pool, "app_quarters", "measure = 21") == 14)
            #expect(try await fixture.pool.query("SELECT count(*) FROM events")[0][0] == 0)
        }
    }
}
