import APNSSimulator
import Application
import Campaigns
import Crypto
import EventLoop
import JSON
import Notifications
import Postgres
import Store
import TestSupport
import Testing

extension DispatcherSuite {
    @Suite struct AudienceTests {
        @Test func campaignReachesAllDevicesOfBothEnvironments() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...120)
                try await bench.addDevices(121...200, .development)
                let campaign = try await bench.campaign()

                try await bench.work()

                #expect((1...200).allSatisfy { bench.accepted($0) == 1 })
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 200 && run.targeted == 200 && run.isBalanced)
                #expect(run.verifiedAt != nil && run.state == .finished)
                #expect(run.destination == .simulator)
                #expect(try await bench.campaigns.find(campaign, app: bench.app).state == .sent)
                #expect(bench.record.flags.isEmpty)
            }
        }

        @Test func thousandsOfDevicesAreSentOnceInSeveralBatches() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...11_000)
                let campaign = try await bench.campaign()

                try await bench.work()

                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 11_000 && run.isBalanced)
                #expect(bench.record.counts.accepted == 11_000)
                #expect(bench.record.counts.tokens == 11_000)
                // The first step of planning is smaller than a batch.
                #expect(try await bench.pool.query("SELECT count(*) FROM batches")[0][0, as: Int.self] >= 3)
            }
        }

        @Test(arguments: [3_600, 0])
        func pushesHaveTheCampaignsExpiration(_ seconds: Int) async throws {
            let seen = Lock<[String?]>([])
            try await DispatcherFixture.run(observe: { push in
                seen.withLock { $0.append(push.headers.first { $0.name == "apns-expiration" }?.value) }
            }) { bench in
                try await bench.addDevices(1...5)
                _ = try await bench.campaign { $0.expirationSeconds = seconds }
                try await bench.work()
                let run = try await bench.pool.query(
                    "SELECT extract(epoch FROM expires_at)::bigint, extract(epoch FROM started_at)::bigint FROM runs")[
                        0]
                let (expires, started): (Int, Int) = (try run[0], try run[1])
                #expect(seconds == 0 || abs(expires - started - seconds) <= 1)
                #expect(seen.withLock { $0 } == Array(repeating: seconds == 0 ? "0" : String(expires), count: 5))
            }
        }

        @Test func segmentIsFrozenWhenTheRunStarts() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(
                    1...30, columns: ["tags": "CASE WHEN n <= 10 THEN '{early}' ELSE '{late}' END::text[]"])
                let segments = bench.stores.segments
                let segment = try await segments.create(
                    app: bench.app, name: "Who", audience: Audience(include: .tag("early")))
                let now: Int = try await bench.pool.query("SELECT extract(epoch FROM now())::bigint")[0][0]
                var content = CampaignContent(name: "Ring", payload: #"{"aps":{"alert":"Ding"}}"#)
                content.audience = Audience(include: .segment(segment.id))
                content.schedule = .at(now + 3)
                let made = try await bench.campaigns.create(app: bench.app, content)
                #expect(try await bench.campaigns.schedule(made.id, app: bench.app).state == .scheduled)
                _ = try await segments.update(
                    segment.id, app: bench.app, version: 1, name: "Who", audience: Audience(include: .tag("late")))
                var starts: [CampaignStarter.Start] = []
                while starts.isEmpty { starts = try await bench.starter.startDue() }
                guard case .run(let key) = starts[0] else { throw DispatcherFixture.NotStarted() }
                let run = key.id
                // Too late for this run.
                _ = try await segments.update(
                    segment.id, app: bench.app, version: 2, name: "Who", audience: Audience(include: .tag("early")))
                try await bench.plan(run, size: 7)
                try await bench.work()
                #expect(try await bench.deliveries().keys.sorted() == Array(11...30))
            }
        }

        @Test func campaignWithEmptyAudienceFailsWithAReason() async throws {
            try await DispatcherFixture.run { bench in
                let campaign = try await bench.campaign()
                guard case .refused(let key, let words) = try await bench.starter.startDue().first, key.id == campaign
                else {
                    Issue.record("it was not refused")
                    return
                }
                #expect(words.description.contains("No device matches"))
                #expect(try await bench.campaigns.find(campaign, app: bench.app).state == .failed)
                #expect(try await bench.runs.list(campaign: campaign, app: bench.app, before: nil, limit: 1).isEmpty)
            }
        }

        @Test func deniedDeviceIsSuppressedAndRetiredDeviceIsNotTargeted() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...10)
                try await bench.pool.execute(
                    "UPDATE devices SET authorization_status = 1 WHERE installation IN ('3', '4')")
                try await bench.pool.execute(
                    "UPDATE devices SET retired_at = now(), retired_reason = 5 WHERE installation = '7'")
                let campaign = try await bench.campaign()

                try await bench.work()

                let deliveries = try await bench.deliveries()
                #expect(deliveries[3] == .init(kind: .suppressed, reason: "notifications denied", isResent: false))
                #expect(deliveries[7] == nil)
                let run = try await bench.run(of: campaign)
                #expect(run.targeted == 9 && run.ledger[.accepted] == 7 && run.ledger[.suppressed] == 2)
                for number in [3, 4, 7] { #expect(bench.requests(number) == 0) }
            }
        }

        @Test func optedOutDevicesAreSuppressedAndOtherKindsAreNotTargeted() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...10)
                try await bench.pool.execute(
                    """
                    UPDATE devices SET opt_outs = CASE installation
                        WHEN '2' THEN '{news,offers}' WHEN '3' THEN '{news}' WHEN '4' THEN '{offers}' ELSE '{}'
                    END::text[]
                    """)
                try await bench.pool.execute("UPDATE devices SET authorization_status = 1 WHERE installation = '4'")
                try await bench.pool.execute("UPDATE devices SET kind = 4 WHERE installation = '5'")
                let topic = try await bench.stores.topics.create(
                    app: bench.app, key: TopicKey("offers"), Localized(name: "Offers"))
                let campaign = try await bench.campaign(topic: topic.key)

                try await bench.work()

                let deliveries = try await bench.deliveries()
                #expect(deliveries[2] == .init(kind: .suppressed, reason: "opted out of the topic", isResent: false))
                // Denied is denied, whatever the topic.
                #expect(deliveries[4] == .init(kind: .suppressed, reason: "notifications denied", isResent: false))
                #expect(deliveries[3]?.kind == .accepted && deliveries[5] == nil)
                let run = try await bench.run(of: campaign)
                #expect(run.targeted == 9 && run.ledger[.accepted] == 7 && run.estimated == 9 && run.isBalanced)
                for number in [2, 4, 5] { #expect(bench.requests(number) == 0) }
            }
        }

        /// Who wants no campaigns gets none: with a topic, without one, and without a text that iOS would show.
        @Test(arguments: [PushType.alert, .background], [false, true])
        func optOutFromAllCampaignsIsOneFromEach(_ type: PushType, _ hasTopic: Bool) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                try await bench.pool.execute("UPDATE devices SET opt_outs = '{*}' WHERE installation = '2'")
                try await bench.pool.execute("UPDATE devices SET opt_outs = '{*,offers}' WHERE installation = '3'")
                let offers = try TopicKey("offers")
                _ = try await bench.stores.topics.create(app: bench.app, key: offers, Localized(name: "Offers"))
                var content =
                    type == .alert
                    ? CampaignContent(name: "News", payload: #"{"aps":{"alert":"Ding"}}"#)
                    : CampaignContent(
                        name: "Refresh", payload: #"{"aps":{"content-available":1}}"#, pushType: .background,
                        priority: .powerAware)
                content.topic = hasTopic ? offers : nil
                let made = try await bench.campaigns.create(app: bench.app, content)
                let forecast = try await bench.forecasts.forecast(made).forecast
                _ = try await bench.campaigns.start(made.id, app: bench.app)

                try await bench.work()

                #expect(forecast.suppressed == [Forecast.Reason("opted out of all campaigns", 2)])
                let deliveries = try await bench.deliveries()
                #expect(deliveries[1]?.kind == .accepted)
                for device in [2, 3] {
                    #expect(deliveries[device]?.reason == "opted out of all campaigns")
                    #expect(bench.requests(device) == 0)
                }
            }
        }

        @Test func topicIsFrozenWhenTheRunStarts() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                try await bench.pool.execute("UPDATE devices SET opt_outs = '{offers}' WHERE installation = '2'")
                let topics = bench.stores.topics
                _ = try await topics.create(app: bench.app, key: TopicKey("offers"), Localized(name: "x"))
                let campaign = try await bench.campaign(topic: TopicKey("offers"))
                _ = try await bench.starter.startDue()
                try await bench.pool.execute("UPDATE campaigns SET topic = NULL")

                try await bench.work()

                #expect(try await bench.run(of: campaign).ledger[.suppressed] == 1)
            }
        }

        @Test func audienceOfDeniedDevicesOnlyIsDoneWithoutAPush() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...5)
                try await bench.pool.execute("UPDATE devices SET authorization_status = 1")
                let campaign = try await bench.campaign()
                try await bench.work()
                #expect(try await bench.run(of: campaign).ledger[.suppressed] == 5)
                #expect(bench.record.counts.requests == 0)
            }
        }

        @Test func deviceRemovedAfterPlanningIsSuppressedAndAChangedEnvironmentIsUsed() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...6)
                _ = try await bench.plannedRun()
                try await bench.pool.execute(
                    "UPDATE devices SET retired_at = now(), retired_reason = 5 WHERE installation = '2'")
                // To the other environment: its batch goes to the wrong host.
                try await bench.pool.execute("UPDATE devices SET environment = 1 WHERE installation = '5'")
                bench.phones.add(
                    token: DispatcherFixture.token(5), environment: .sandbox, topic: DispatcherFixture.bundleID)

                try await bench.work()

                let deliveries = try await bench.deliveries()
                #expect(deliveries[2] == .init(kind: .suppressed, reason: "device removed", isResent: false))
                #expect(deliveries[5] == .init(kind: .accepted, reason: "", isResent: false))
                #expect((1...6).map(bench.requests) == [1, 0, 1, 1, 1, 1])
                #expect(bench.record.counts.accepted == 5)
            }
        }

        @Test func devicesRegisteredAfterTheStartAreNotTargeted() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                _ = try await bench.campaign()
                _ = try await bench.starter.startDue()
                try await bench.addDevices(4...5)
                try await bench.work()
                #expect(try await bench.deliveries().keys.sorted() == [1, 2, 3])
            }
        }

        @Test func ledgerThatDoesNotAddUpIsRefused() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                _ = try await bench.plannedRun()
                for change: PostgresQuery in [
                    "accepted = 1", "pending = 2", "outcomes = '\\x0000'", "sent_through = 4",
                    "pending = -1, accepted = 4",
                    "state = 'done'",
                ] {
                    await #expect("\(change)") {
                        try await bench.pool.execute("UPDATE batches SET " + change)
                    } throws: { ($0 as? PostgresError)?.sqlState == "23514" }
                }
            }
        }
    }
}
