import APNSSimulator
import Application
import Campaigns
import JSON
import Notifications
import Postgres
import Store
import TestSupport
import Testing

extension DispatcherSuite {
    /// The times at which people get a push, and the people who get none: schedules, quiet hours, caps and audiences,
    /// in the real planner.
    @Suite struct DeliveryTimingTests {
        /// Zones whose clocks stand still all year.
        private static let zones = ["Asia/Tokyo", "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"]

        /// One device per zone, then one without.
        private static func addZones(to bench: DispatcherFixture) async throws {
            try await bench.addDevices(1...(zones.count + 1))
            for (index, zone) in zones.enumerated() {
                try await bench.pool.execute(
                    "UPDATE devices SET time_zone = \(zone) WHERE installation = \(String(index + 1))")
            }
        }

        private static func now(_ bench: DispatcherFixture) async throws -> Int {
            try await bench.pool.query("SELECT floor(extract(epoch FROM now()))::bigint")[0][0]
        }

        /// Of the batches: when they are due, from now, and who is in them.
        private static func batches(_ bench: DispatcherFixture) async throws -> [(due: Int, late: Int?, devices: [Int])]
        {
            try await bench.pool.query(
                """
                SELECT round(extract(epoch FROM due_at - now()))::bigint, round(extract(epoch FROM not_after - now()))::bigint,
                    ARRAY(SELECT d.installation::bigint FROM devices d WHERE d.id = ANY (b.recipients) ORDER BY 1)
                FROM batches b ORDER BY due_at, id
                """
            ).map { (try $0[0], try $0[1], try $0[2, as: [Int64].self].map { Int($0) }) }
        }

        @Test func eachTimeZoneIsDueAtItsLocalTime() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addZones(to: bench)
                let hour = 3_600
                // In Tokyo in half an hour, so in UTC nine hours later; on Kiritimati it is past.
                let tokyo = try await Self.now(bench) + hour / 2
                let time = try #require(CivilTime(seconds: tokyo + 9 * hour))
                let campaign = try await bench.campaign { $0.schedule = .local(time, ifPast: .nextDay) }
                let run = try await bench.startedRun()
                try await bench.plan(run)

                let batches = try await Self.batches(bench)
                let dues = batches.map { (Double($0.due) / Double(hour) * 2).rounded() / 2 }
                #expect(dues == [0.5, 9.5, 19.5, 20.5])
                #expect(batches.map(\.devices) == [[1], [2, 5], [3], [4]])
                let record = try await bench.run(of: campaign)
                #expect(record.plannedAt != nil && record.targeted == 5)
                #expect(record.occurrence == .local(time, ifPast: .nextDay))
            }
        }

        @Test func pastLocalTimesFollowThePolicy() async throws {
            for (policy, kind) in [(LocalTimePolicy.skip, OutcomeKind.suppressed), (.send, .accepted)] {
                try await DispatcherFixture.run { bench in
                    try await bench.addDevices(1...2)
                    let past = try #require(CivilTime(seconds: try await Self.now(bench) - 600))
                    let campaign = try await bench.campaign { $0.schedule = .local(past, ifPast: policy) }
                    try await bench.work()
                    let delivery = try await bench.deliveries()[1]
                    #expect(delivery?.kind == kind)
                    if policy == .skip { #expect(delivery?.reason == "local time past") }
                    #expect(try await bench.run(of: campaign).isBalanced)
                }
            }
        }

        /// So many minutes of the day, in UTC, around now.
        private static func quiet(
            _ bench: DispatcherFixture, from: Int, to: Int, _ policy: QuietHours.Policy
        ) async throws -> QuietHours {
            let minute = try await now(bench) / 60
            return try #require(
                QuietHours(from: (minute + from + 1_440) % 1_440, to: (minute + to + 1_440) % 1_440, policy: policy))
        }

        private static func set(_ quiet: QuietHours, _ bench: DispatcherFixture) async throws {
            try await bench.pool.execute(
                "UPDATE apps SET quiet_hours = \(String(decoding: quiet.json.encoded(), as: UTF8.self))::json")
        }

        @Test func quietHoursHoldOnlyTheirTimeZones() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addZones(to: bench)
                try await Self.set(try await Self.quiet(bench, from: -60, to: 60, .hold), bench)
                let campaign = try await bench.campaign()
                try await bench.withWorker {
                    await bench.log.wait { $0.count(where: \.isDone) == 3 }
                    let deliveries = try await bench.deliveries()
                    #expect(deliveries.filter { $0.value.kind == .pending }.keys.sorted() == [2, 5])
                    let held = try await Self.batches(bench).filter { $0.devices == [2, 5] }
                    #expect(held.count == 1 && (3_400...3_660).contains(held[0].due))
                    _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
            }
        }

        @Test func quietHoursThatSkipSuppressAndUrgentCampaignsIgnoreThem() async throws {
            for isUrgent in [false, true] {
                try await DispatcherFixture.run { bench in
                    try await Self.addZones(to: bench)
                    try await Self.set(try await Self.quiet(bench, from: -60, to: 60, .skip), bench)
                    let campaign = try await bench.campaign { $0.ignoresQuietHours = isUrgent }
                    try await bench.work()
                    #expect(try await bench.run(of: campaign).ledger[.suppressed] == (isUrgent ? 0 : 2))
                    #expect(try await bench.deliveries()[5]?.reason == (isUrgent ? "" : "quiet hours"))
                }
            }
        }

        @Test func quietHoursOfACampaignReplaceThoseOfTheApp() async throws {
            for isQuietNow in [true, false] {
                try await DispatcherFixture.run { bench in
                    try await bench.addDevices(1...5)
                    let (now, later) = (
                        try await Self.quiet(bench, from: -60, to: 60, .skip),
                        try await Self.quiet(bench, from: 120, to: 240, .skip)
                    )
                    try await Self.set(isQuietNow ? later : now, bench)
                    let campaign = try await bench.campaign { $0.quietHours = isQuietNow ? now : later }
                    let record = try await bench.campaigns.find(campaign, app: bench.app)
                    #expect(record.content.quietHours == (isQuietNow ? now : later))
                    try await bench.work()
                    #expect(try await bench.deliveries()[5]?.reason == (isQuietNow ? "quiet hours" : ""))
                }
            }
        }

        @Test func capOfACampaignReplacesThatOfTheApp() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...5)
                try await bench.pool.execute("UPDATE apps SET frequency_cap_count = 1, frequency_cap_days = 1")
                _ = try await bench.campaign()
                try await bench.work()
                let wider = try await bench.campaign { $0.frequencyCap = FrequencyCap(count: 2, days: 1) }
                try await bench.work(runs: 2)
                #expect(try await bench.run(of: wider).ledger[.accepted] == 5)
                let capped = try await bench.campaign { $0.frequencyCap = FrequencyCap(count: 2, days: 7) }
                try await bench.work(runs: 3)
                #expect(try await bench.run(of: capped).ledger[.suppressed] == 5)
            }
        }

        @Test func overdueBatchIsReevaluatedAndNobodyIsLost() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addZones(to: bench)
                try await Self.set(try await Self.quiet(bench, from: -60, to: 60, .hold), bench)
                let run = try await bench.plannedRun()
                // As if it had been planned before the quiet hours began, and had waited since.
                try await bench.pool.execute(
                    """
                    UPDATE batches SET due_at = now() - interval '2 hours', not_after = now() - interval '1 hour'
                    """)
                let late = bench.stores.late
                #expect(try await late.reevaluate(bench.key(run)) > 0)
                #expect(try await late.reevaluate(bench.key(run)) == 0)
                let record = try await bench.runs.find(run, app: bench.app)
                #expect(record.targeted == 5 && record.ledger[.pending] == 5 && record.ledger[.deferred] == 5)
                #expect(record.isBalanced)
                let open = try await Self.batches(bench).filter { $0.due > -100 }
                #expect(open.map(\.devices.count).reduce(0, +) == 5)
                #expect(open.contains { $0.devices == [2, 5] && $0.due > 3_000 })

                try await bench.pool.execute(
                    "UPDATE batches SET due_at = now(), not_after = NULL WHERE state = 'ready'")
                try await bench.work()
                #expect((1...5).allSatisfy { bench.accepted($0) == 1 })
            }
        }

        /// As if they had begun in the middle of the run: its rules are frozen.
        private static func begin(_ quiet: QuietHours, run: Run.ID, _ bench: DispatcherFixture) async throws {
            try await bench.pool.execute(
                """
                UPDATE runs SET quiet_hours = \(String(decoding: quiet.json.encoded(), as: UTF8.self))::json
                WHERE id = \(run)
                """)
        }

        @Test func overdueRecipientsAreSuppressedWhereQuietHoursSkip() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addZones(to: bench)
                let run = try await bench.plannedRun()
                try await Self.begin(try await Self.quiet(bench, from: -60, to: 60, .skip), run: run, bench)
                try await bench.pool.execute("UPDATE batches SET not_after = now() - interval '1 hour'")
                let late = bench.stores.late
                #expect(try await late.reevaluate(bench.key(run)) == 1)
                #expect(try await late.reevaluate(bench.key(run)) == 0)
                let judged = try await bench.runs.find(run, app: bench.app)
                #expect(judged.targeted == 5 && judged.isBalanced)
                #expect([.pending, .suppressed, .deferred].map { judged.ledger[$0] } == [3, 2, 5])

                try await bench.work()

                let deliveries = try await bench.deliveries()
                for number in [2, 5] {
                    #expect(deliveries[number] == .init(kind: .suppressed, reason: "quiet hours", isResent: false))
                }
                #expect((1...5).map(bench.requests) == [1, 0, 1, 1, 0])
                let ended = try await bench.runs.find(run, app: bench.app)
                #expect(ended.ledger[.accepted] == 3 && ended.isBalanced && ended.verifiedAt != nil)
            }
        }

        @Test(.retriedAfterStalls(by: .milliseconds(50)))
        func batchThatBecomesOverdueStopsAndTheRestIsReevaluated() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                let run = try await bench.plannedRun()
                try await bench.pool.execute("UPDATE runs SET pushes_per_second = 5")
                try await Self.begin(try await Self.quiet(bench, from: -60, to: 60, .hold), run: run, bench)
                try await bench.withWorker {
                    await bench.record.waitUntilAccepted(5)
                    let until: Double = try await bench.pool.query(
                        """
                        UPDATE batches SET not_after = now() + interval '2 seconds'
                        RETURNING extract(epoch FROM not_after)::float8
                        """)[0][0]
                    await bench.log.wait { $0.contains(where: \.isRelease) || $0.contains(where: \.isDone) }
                    var judged = try await bench.runs.find(run, app: bench.app)
                    while judged.ledger[.deferred] == 0, judged.finishedAt == nil {
                        judged = try await bench.runs.find(run, app: bench.app)
                    }
                    let sent = judged.ledger[.accepted]
                    #expect((5...25).contains(sent) && judged.ledger[.pending] == 60 - sent && judged.isBalanced)
                    // Not even a window whose time was booked goes out later.
                    let last = try #require(bench.inbox.lastArrival)
                    #expect(last < until + 0.1)
                    let open = try await Self.batches(bench).filter { $0.due > 3_000 }
                    #expect(open.map(\.devices.count) == [60 - sent])
                    _ = try await bench.runs.transition(run, app: bench.app, by: .cancel)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                let ended = try await bench.runs.find(run, app: bench.app)
                #expect(ended.isBalanced && ended.ledger[.accepted] == bench.record.counts.accepted)
                #expect(ended.ledger[.cancelled] == 60 - ended.ledger[.accepted])
            }
        }

        @Test func onlyUndeclaredRecipientsOfALostOverdueBatchAreReevaluated() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                let run = try await bench.plannedRun(.leave)
                try await Self.begin(try await Self.quiet(bench, from: -60, to: 60, .hold), run: run, bench)
                try await MultipleWorkerTests.abandon(bench, until: "-1 seconds")
                try await bench.pool.execute("UPDATE batches SET not_after = now() - interval '1 minute'")
                try await bench.withWorker(DispatcherFixture.hastyOptions) {
                    var judged = try await bench.runs.find(run, app: bench.app)
                    while judged.ledger[.deferred] == 0 { judged = try await bench.runs.find(run, app: bench.app) }
                    #expect(judged.isBalanced && judged.targeted == 60)
                    // The tenth of the thirty who were declared was put back.
                    #expect([.accepted, .unknown, .pending].map { judged.ledger[$0] } == [10, 19, 31])
                    let later = try await Self.batches(bench).filter { $0.due > 3_000 }
                    #expect(later.map(\.devices) == [Array(30...60)])
                }
                #expect(bench.record.counts.requests == 0)
            }
        }

        @Test func possiblyDeliveredPushesStayUnknownWhenTheRestIsSkipped() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                let run = try await bench.plannedRun(.resend)
                try await Self.begin(try await Self.quiet(bench, from: -60, to: 60, .skip), run: run, bench)
                try await MultipleWorkerTests.abandon(bench, until: "-1 seconds")
                try await bench.pool.execute("UPDATE batches SET not_after = now() - interval '1 minute'")
                try await bench.work(DispatcherFixture.hastyOptions)
                let ended = try await bench.runs.find(run, app: bench.app)
                #expect(ended.isBalanced && ended.verifiedAt != nil && ended.ledger.resent == 0)
                #expect([.accepted, .unknown, .suppressed].map { ended.ledger[$0] } == [10, 19, 31])
                #expect(bench.record.counts.requests == 0)
            }
        }

        @Test func recipientsAtTheFrequencyCapAreSuppressed() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...6)
                bench.production.faults = Faults([
                    .init(.answer(.payloadTooLarge), .first(2), for: .tokens([DispatcherFixture.token(3)]))
                ])
                try await bench.pool.execute("UPDATE apps SET frequency_cap_count = 2, frequency_cap_days = 7")
                for _ in 1...2 {
                    _ = try await bench.campaign { $0.rejectionThresholdPercent = nil }
                    try await bench.work(runs: bench.log.count(where: \.isFinish) + 1)
                }
                let third = try await bench.campaign { $0.rejectionThresholdPercent = nil }
                try await bench.work(runs: 3)
                let run = try await bench.run(of: third)
                // The third device was refused twice, so it has had none.
                #expect(run.ledger[.suppressed] == 5 && run.ledger[.accepted] == 1 && run.isBalanced)
                let urgent = try await bench.campaign { $0.ignoresFrequencyCap = true }
                try await bench.work(runs: 4)
                #expect(try await bench.run(of: urgent).ledger[.accepted] == 6)

                try await bench.pool.execute("UPDATE batches SET due_at = due_at - interval '8 days'")
                let later = try await bench.campaign()
                try await bench.work(runs: 5)
                #expect(try await bench.run(of: later).ledger[.accepted] == 6)
            }
        }

        @Test func capAppliesToConcurrentlyPlannedCampaigns() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...500)
                try await bench.pool.execute("UPDATE apps SET frequency_cap_count = 1, frequency_cap_days = 1")
                for _ in 1...4 { _ = try await bench.campaign() }
                try await bench.withWorker {
                    try await bench.withWorker { await bench.log.wait { $0.count(where: \.isFinish) == 4 } }
                }
                #expect((1...500).allSatisfy { bench.accepted($0) == 1 })
            }
        }

        @Test func onlyTheAudienceIsPlannedStepByStep() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(
                    1...60,
                    columns: ["tags": "CASE WHEN n % 7 = 0 THEN '{vip}' ELSE '{}' END::text[]", "user_id": "'u' || n"])
                let campaign = try await bench.campaign {
                    $0.audience = Audience(include: .tag("vip"), exclude: .userIDs(["u14", "u1"]))
                }
                let run = try await bench.startedRun()
                try await bench.plan(run, size: 11)
                #expect(try await bench.run(of: campaign).targeted == 7)
                try await bench.work()
                #expect(try await bench.deliveries().keys.sorted() == [7, 21, 28, 35, 42, 49, 56])

                let list = try await bench.campaign {
                    $0.audience = Audience(include: .userIDs(["u3", "u5", "nobody"]))
                }
                try await bench.work(runs: 2)
                #expect(try await bench.run(of: list).ledger[.accepted] == 2)
            }
        }

        @Test func recurringCampaignStaysScheduledAndEndsWithItsRule() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                let start = try #require(CivilTime(seconds: try await Self.now(bench) - 86_400 + 3_600))
                let rule = try RecurrenceRule("FREQ=DAILY;COUNT=3")
                var content = CampaignContent(name: "Daily", payload: #"{"aps":{"alert":"Ding"}}"#)
                content.schedule = .recurring(Recurrence(rule: rule, start: start, clock: .zone("UTC")))
                let made = try await bench.campaigns.create(app: bench.app, content)
                let scheduled = try await bench.campaigns.schedule(made.id, app: bench.app)
                #expect(scheduled.state == .scheduled)
                // An hour passes, as far as the starter can tell.
                func pass() async throws {
                    try await bench.pool.execute(
                        """
                        UPDATE campaigns SET next_check_at = now() - interval '1 second',
                            handled_until = handled_until - interval '1 day',
                            schedule = jsonb_set(schedule::jsonb, '{from}', to_jsonb(to_char(
                                (schedule ->> 'from')::timestamp - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS')))::json
                        """)
                }
                try await bench.pool.execute(
                    """
                    UPDATE campaigns SET next_check_at = now() - interval '1 second',
                        handled_until = handled_until - interval '2 hours',
                        schedule = jsonb_set(schedule::jsonb, '{from}', to_jsonb(to_char(
                            (schedule ->> 'from')::timestamp - interval '61 minutes', 'YYYY-MM-DD"T"HH24:MI:SS')))::json
                    """)
                try await bench.work(runs: 1)
                var campaign = try await bench.campaigns.find(made.id, app: bench.app)
                #expect(campaign.state == .scheduled && campaign.nextCheckAt != nil)
                try await pass()
                try await bench.work(runs: 2)
                campaign = try await bench.campaigns.find(made.id, app: bench.app)
                #expect(campaign.state == .sent)
                let runs = try await bench.runs.list(campaign: made.id, app: bench.app, before: nil, limit: 9)
                #expect(runs.count == 2 && runs.allSatisfy { $0.ledger[.accepted] == 3 })
            }
        }

        @Test func startPossiblyMadeBeforeARestoreNeedsConfirmation() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                try await bench.stores.instance.verify(bench.sealingKeys)
                let starts = bench.starter
                func arm() async throws -> Campaign.ID {
                    var content = CampaignContent(name: "Again", payload: #"{"aps":{"alert":"Ding"}}"#)
                    content.schedule = .at(try await Self.now(bench) - 5)
                    let made = try await bench.campaigns.create(app: bench.app, content)
                    try await bench.pool.execute(
                        """
                        UPDATE campaigns SET state = 'scheduled', next_check_at = now() - interval '5 s',
                            handled_until = now() - interval '1 hour' WHERE id = \(made.id)
                        """)
                    return made.id
                }
                let first = try await arm()
                let seen = try #require(try await bench.stores.identity.observe(as: ProcessID(), remembering: []))
                #expect(try await bench.stores.identity.beginGeneration(after: seen))
                guard case .needsConfirmation(let key) = try await starts.startDue().first else {
                    Issue.record("it did not ask")
                    return
                }
                let run = key.id
                #expect(
                    try await bench.runs.find(run, app: bench.app).reason?.description.contains("was restored") == true)

                // Somebody notices, and an hour goes by.
                _ = try await bench.stores.runPauses.pauseRunsFromBeforeRestore()
                try await bench.pool.execute(
                    "UPDATE database_identity SET written_by = pg_current_xact_id(), changed_at = changed_at - interval '1 hour'"
                )
                _ = try await arm()
                guard case .run = try await starts.startDue().first else {
                    Issue.record("it asked although it is of later")
                    return
                }
                _ = try await bench.campaigns.resume(first, app: bench.app)
                try await bench.work(runs: 2)
                #expect(bench.record.counts.accepted == 6)
            }
        }

        @Test func missedStartWaitsForConfirmation() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                let due = try await Self.now(bench) - 7_200
                var content = CampaignContent(name: "Late", payload: #"{"aps":{"alert":"Ding"}}"#)
                content.schedule = .at(due)
                content.missedStart = MissedStart(grace: 60, policy: .ask)
                let made = try await bench.campaigns.create(app: bench.app, content)
                try await bench.pool.execute(
                    """
                    UPDATE campaigns SET state = 'scheduled', next_check_at = now() - interval '2 hours',
                        handled_until = now() - interval '3 hours'
                    """)
                guard case .needsConfirmation(let key) = try await bench.starter.startDue().first else {
                    Issue.record("it did not ask")
                    return
                }
                let run = key.id
                let asked = try await bench.runs.find(run, app: bench.app)
                #expect(
                    asked.state == .paused && asked.reason?.description.contains("Start it now, or skip it?") == true)
                #expect(try await bench.campaigns.find(made.id, app: bench.app).state == .paused)
                _ = try await bench.runs.transition(run, app: bench.app, by: .resume)
                try await bench.work()
                #expect(try await bench.campaigns.find(made.id, app: bench.app).state == .sent)
                #expect(bench.record.counts.accepted == 3)
            }
        }

        @Test func triggeredCampaignStartsARunForEachCall() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...4)
                try await bench.pool.changeDevices("user_id = 'u' || installation")
                var content = CampaignContent(name: "Order", payload: #"{"aps":{"alert":"Ding"}}"#)
                content.schedule = .triggered
                let made = try await bench.campaigns.create(app: bench.app, content)
                let starts = bench.trigger
                await #expect(throws: Refusal.notTriggered) {
                    try await starts.trigger(made.id, app: bench.app, userIDs: nil)
                }
                _ = try await bench.campaigns.schedule(made.id, app: bench.app)
                await #expect(throws: Refusal.audienceEmpty) {
                    try await starts.trigger(made.id, app: bench.app, userIDs: ["nobody"])
                }
                _ = try await starts.trigger(made.id, app: bench.app, userIDs: ["u2"])
                _ = try await starts.trigger(made.id, app: bench.app, userIDs: nil)
                try await bench.work(runs: 2)
                #expect([1, 2, 3, 4].map(bench.accepted) == [1, 2, 1, 1])
                #expect(try await bench.campaigns.find(made.id, app: bench.app).state == .scheduled)
            }
        }

        @Test func triggerThatIsRepeatedUnderItsKeyIsTheSameRun() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                var content = CampaignContent(name: "Order", payload: #"{"aps":{"alert":"Ding"}}"#)
                content.schedule = .triggered
                let made = try await bench.campaigns.create(app: bench.app, content)
                _ = try await bench.campaigns.schedule(made.id, app: bench.app)
                let triggers = bench.trigger
                func key(_ text: String, body: UInt8 = 1) throws -> IdempotencyKey {
                    try #require(IdempotencyKey(text, of: .apiKey(1), bodyHash: [UInt8](repeating: body, count: 32)))
                }
                let order7 = try key("order-7")
                let runs = try await withThrowingTaskGroup { group in
                    for _ in 0..<4 {
                        group.addTask {
                            try await triggers.trigger(made.id, app: bench.app, userIDs: nil, key: order7)
                        }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                #expect(runs.count == 1)
                await #expect(throws: Refusal.idempotencyKeyInUse) {
                    try await triggers.trigger(made.id, app: bench.app, userIDs: nil, key: key("order-7", body: 2))
                }
                let other = try await triggers.trigger(made.id, app: bench.app, userIDs: nil, key: key("order-8"))
                #expect(!runs.contains(other))
                _ = try await bench.campaigns.unschedule(made.id, app: bench.app)
                #expect(
                    try await triggers.trigger(made.id, app: bench.app, userIDs: nil, key: key("order-8")) == other)
                try await bench.work(runs: 2)
                #expect(bench.record.counts.accepted == 4)
            }
        }

        @Test func lateBatchOfAnExpiredRunExpiresAndTheRunEnds() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addZones(to: bench)
                try await Self.set(try await Self.quiet(bench, from: 60, to: 120, .hold), bench)
                let run = try await bench.plannedRun()
                try await bench.pool.execute("UPDATE batches SET not_after = now() - interval '1 hour'")
                try await bench.pool.execute("UPDATE runs SET expires_at = now() - interval '1 minute'")
                try await bench.work()
                #expect(try await bench.runs.find(run, app: bench.app).ledger[.expired] == 5)
                #expect(bench.record.counts.requests == 0)
            }
        }

        @Test func campaignThatWasSentBeforeIsStartedOnceMoreAndNeverDeleted() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                var content = CampaignContent(name: "Order", payload: #"{"aps":{"alert":"Ding"}}"#)
                content.schedule = .triggered
                let made = try await bench.campaigns.create(app: bench.app, content)
                _ = try await bench.campaigns.schedule(made.id, app: bench.app)
                _ = try await bench.trigger.trigger(made.id, app: bench.app, userIDs: nil)
                try await bench.work()
                _ = try await bench.campaigns.unschedule(made.id, app: bench.app)
                await #expect(throws: Refusal.hasRuns) {
                    try await bench.campaigns.delete(made.id, app: bench.app)
                }
                await #expect(throws: Refusal.isTriggered(.draft)) {
                    try await bench.campaigns.start(made.id, app: bench.app)
                }
                let draft = try await bench.campaigns.find(made.id, app: bench.app)
                content.schedule = nil
                _ = try await bench.campaigns.update(made.id, app: bench.app, version: draft.version, to: content)
                _ = try await bench.campaigns.start(made.id, app: bench.app)
                try await bench.work(runs: 2)
                #expect(try await bench.campaigns.find(made.id, app: bench.app).state == .sent)
                #expect(bench.record.counts.accepted == 6)
            }
        }

        @Test func campaignIsSentWhenTheLastOfItsRunsHasEnded() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                let campaign = try await bench.campaign()
                let first = try await bench.startedRun()
                try await bench.pool.execute("UPDATE campaigns SET runs_started = 0")
                let second = try await bench.startedRun()
                try await bench.plan(first)
                try await bench.pool.execute("UPDATE runs SET state = 'paused' WHERE id = \(second)")
                try await bench.work()
                #expect(try await bench.campaigns.find(campaign, app: bench.app).state == .sending)
                _ = try await bench.runs.transition(second, app: bench.app, by: .resume)
                try await bench.work(runs: 2)
                #expect(try await bench.campaigns.find(campaign, app: bench.app).state == .sent)
            }
        }

        @Test func unplannableRunDoesNotBlockOthers() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                let broken = try await bench.campaign()
                _ = try await bench.starter.startDue()
                try await bench.pool.execute(#"UPDATE runs SET audience = '{"include": {"never": "heard of"}}'"#)
                let sound = try await bench.campaign()
                try await bench.work()
                #expect(try await bench.campaigns.find(sound, app: bench.app).state == .sent)
                let paused = try await bench.run(of: broken)
                #expect(
                    paused.state == .paused
                        && paused.reason?.description.contains("audience could not be evaluated") == true)
            }
        }

        @Test func forecastMatchesTheRun() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addZones(to: bench)
                try await bench.addDevices(10...29)
                try await bench.pool.execute("UPDATE devices SET authorization_status = 1 WHERE installation = '10'")
                try await Self.set(try await Self.quiet(bench, from: -60, to: 60, .hold), bench)
                var content = CampaignContent(name: "Ring", payload: #"{"aps":{"alert":"Ding"}}"#)
                content.pushesPerSecond = 2
                let made = try await bench.campaigns.create(app: bench.app, content)
                let result = try await bench.forecasts.forecast(made)
                #expect(result.isExact && result.audience == 25)
                #expect(result.forecast.sent == 24 && result.forecast.rate == 2)
                #expect(result.forecast.held == [.init("quiet hours", 21)])
                #expect(result.forecast.suppressed == [.init("notifications denied", 1)])
                let now = try await Self.now(bench)
                #expect(result.forecast.timeline.map(\.count) == [3, 21])
                #expect(abs((result.forecast.endsAt ?? 0) - now - 3_600 - 11) < 120)
            }
        }

        /// Local times, quiet hours, a cap, a topic and denied ones, all at once: who is meant and what becomes of
        /// them.
        @Test func combinedForecastMatchesThePlanner() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...120)
                try await bench.pool.execute(
                    """
                    UPDATE devices SET
                        time_zone = (ARRAY['Asia/Tokyo', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'UTC'])
                            [1 + installation::integer % 5],
                        authorization_status = CASE WHEN installation::integer % 11 = 0 THEN 1 ELSE 2 END,
                        opt_outs = CASE WHEN installation::integer % 7 = 0 THEN '{offers}' ELSE '{}' END::text[]
                    """)
                _ = try await bench.stores.topics.create(
                    app: bench.app, key: TopicKey("offers"), Localized(name: "Offers"))
                // Some have had one already.
                let before = try await bench.plannedRun()
                try await bench.pool.execute(
                    """
                    UPDATE batches SET recipients = recipients[1:40], outcomes = substring(outcomes FROM 1 FOR 40), size = 40,
                        pending = 40, suppressed = 0 WHERE run_id = \(before)
                    """)
                try await bench.pool.execute(
                    "UPDATE apps SET frequency_cap_count = 1, frequency_cap_days = 7 WHERE id = \(bench.app)")
                let quiet = try await Self.quiet(bench, from: -60, to: 240, .hold)
                try await Self.set(quiet, bench)
                let now = try await Self.now(bench)
                var content = CampaignContent(name: "Ring", payload: #"{"aps":{"alert":"Ding"}}"#)
                content.topic = try TopicKey("offers")
                let time = try #require(CivilTime(seconds: now / 3_600 * 3_600 - 3_600 * 4))
                content.schedule = .local(time, ifPast: .nextDay)
                let made = try await bench.campaigns.create(app: bench.app, content)
                let result = try await bench.forecasts.forecast(made)
                let forecast = result.forecast

                _ = try await bench.campaigns.start(made.id, app: bench.app)
                guard case .run(let key) = try await bench.starter.startDue().first else {
                    Issue.record("it did not start")
                    return
                }
                let run = key.id
                try await bench.plan(run)
                let record = try await bench.runs.find(run, app: bench.app)
                #expect(record.targeted == result.audience && result.audience == 120)
                #expect(record.ledger[.pending] == forecast.sent && forecast.expired == 0)
                let reasons = try await bench.pool.query(
                    "SELECT reason, count(*) FROM bi.deliveries WHERE run_id = \(run) AND outcome = 'suppressed' GROUP BY 1"
                )
                #expect(
                    try Set(reasons.map { Forecast.Reason(try $0[0], try $0[1]) }) == Set(forecast.suppressed))
                #expect(forecast.suppressed.count == 3)
                let dues = try await bench.pool.query(
                    """
                    SELECT extract(epoch FROM min(due_at))::bigint, extract(epoch FROM max(due_at))::bigint FROM batches
                    WHERE run_id = \(run) AND pending > 0
                    """)
                #expect(abs(try dues[0][0, as: Int.self] - (forecast.startsAt ?? 0)) < 60)
                #expect(abs(try dues[0][1, as: Int.self] - (forecast.endsAt ?? 0)) < 60)
                // The same rule in SQL.
                let expiry = Occurrence.manual(content.schedule, at: now)
                    .expiry(after: content.expirationSeconds, from: now, quiet: quiet)
                let stored = try await bench.pool.query(
                    "SELECT extract(epoch FROM expires_at)::bigint FROM runs WHERE id = \(run)")
                #expect(abs(try stored[0][0, as: Int.self] - expiry) < 60)
            }
        }
    }
}
