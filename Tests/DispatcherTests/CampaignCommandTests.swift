import APNSSimulator
import Application
import Campaigns
import Dispatcher
import EventLoop
import JSON
import Notifications
import Postgres
import Store
import Testing

extension DispatcherSuite {
    /// Commands that people give to a campaign, and campaigns that start by themselves.
    @Suite struct CampaignCommandTests {
        /// 5,000 devices take some seconds: 100 at once, 50 ms each.
        static func slow(_ body: @escaping (DispatcherFixture) async throws -> Void) async throws {
            try await DispatcherFixture.run({ $0.streams.afterToken = 100 }) { bench in
                try await bench.addDevices(1...5_000)
                bench.production.faults = Faults([.init(.delay(by: .milliseconds(50)))])
                try await body(bench)
            }
        }

        /// A fresh connection has one stream until Apple has answered, and the others wait behind it.
        @Test(arguments: [RunTransition.pause, .cancel])
        func pushesWaitingForAStreamAreNotSentAfterTheRunIsStopped(_ transition: RunTransition) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                bench.production.faults = Faults([.init(.noAnswer(accepted: false), .first(1))])
                let campaign = try await bench.campaign(.leave)
                try await bench.withWorker(DispatcherFixture.hastyOptions) {
                    while bench.record.counts.requests == 0 { _ = try await bench.pool.query("SELECT 1") }
                    let run = try await bench.run(of: campaign).id
                    _ = try await bench.runs.transition(run, app: bench.app, by: transition)
                    await bench.log.wait { $0.contains { $0.isRelease || $0.isDone } }
                    #expect(bench.record.counts.requests == 1)
                    let record = try await bench.runs.find(run, app: bench.app)
                    #expect(record.ledger[.unknown] == 1 && record.isBalanced)
                    #expect(record.ledger[transition == .pause ? .pending : .cancelled] == 59)
                }
            }
        }

        @Test func wrongKeyStopsTheFirstWindowAndNotItsLastPush() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                // Never authenticated, so one after another: the whole window would take half a minute.
                bench.production.faults = Faults([
                    .init(.delay(by: .milliseconds(500))), .init(.answer(.invalidProviderToken)),
                ])
                let campaign = try await bench.campaign()
                try await bench.withWorker {
                    await bench.log.wait(for: \.isRelease)
                    let run = try await bench.run(of: campaign)
                    #expect(run.state == .paused && run.reason?.description.contains("InvalidProviderToken") == true)
                    #expect(bench.record.counts.requests < 10)
                    #expect(run.ledger[.pending] == 60)
                }
            }
        }

        @Test func runWithInvalidContentIsPausedAndCanBeCancelled() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                let run = try await bench.plannedRun()
                // As another version of Belfry may have written it.
                try await bench.pool.execute(#"UPDATE run_variants SET payload = '{"aps": {"badge": "x"}}'"#)
                try await bench.withWorker {
                    try await bench.untilPaused(run)
                    let found = try await bench.runs.find(run, app: bench.app)
                    #expect(found.reason?.description.contains("content could not be compiled") == true)
                    try await bench.until {
                        try await !bench.pool.query("SELECT FROM batches WHERE state = 'ready'").isEmpty
                    }
                    let attempts: Int32 = try await bench.pool.query("SELECT attempt FROM batches")[0][0]
                    #expect(attempts == 1)
                    _ = try await bench.runs.transition(run, app: bench.app, by: .cancel)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                let ended = try await bench.runs.find(run, app: bench.app)
                #expect(ended.ledger[.cancelled] == 3 && bench.record.counts.requests == 0)
            }
        }

        @Test func rejectedRecipientsStayRejectedWhenTheRunIsCancelled() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...40)
                // A token that the other environment may know: it would be tried there.
                try await bench.pool.execute("UPDATE devices SET token = sha256(token) WHERE installation = '1'")
                let campaign = try await bench.campaign { $0.pushesPerSecond = 2 }
                try await bench.withWorker {
                    await bench.record.waitUntilAccepted(1)
                    _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                let ledger = try await bench.run(of: campaign).ledger
                #expect(ledger[.rejected] == 1 && ledger[.deferred] == 0)
                #expect(ledger[.cancelled] == 40 - 1 - ledger[.accepted])
            }
        }

        @Test func cancelEndsPendingRecipients() async throws {
            try await Self.slow { bench in
                let campaign = try await bench.campaign()
                try await bench.work {
                    await bench.record.waitUntilAccepted(100)
                    _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                }
                let run = try await bench.run(of: campaign)
                #expect(run.state == .cancelled && run.verifiedAt != nil)
                #expect(run.ledger[.cancelled] > 0 && run.ledger[.accepted] >= 100)
                #expect(run.ledger[.cancelled] + run.ledger[.accepted] == 5_000)
                #expect(try await bench.campaigns.find(campaign, app: bench.app).state == .cancelled)
                for (number, delivery) in try await bench.deliveries() {
                    #expect(bench.accepted(number) == (delivery.kind == .accepted ? 1 : 0))
                }
            }
        }

        @Test func runCancelledBeforeSendingReachesNobody() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20)
                let campaign = try await bench.campaign()
                _ = try await bench.starter.startDue()
                _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                try await bench.work()
                #expect(bench.record.counts.requests == 0)
                #expect(try await bench.run(of: campaign).state == .cancelled)
            }
        }

        @Test func runPastItsExpirationExpires() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20)
                let run = try await bench.plannedRun()
                try await bench.pool.execute("UPDATE runs SET expires_at = now() - interval '1 second'")
                try await bench.work()
                #expect(try await bench.runs.find(run, app: bench.app).ledger[.expired] == 20)
                #expect(bench.record.counts.requests == 0)
            }
        }

        @Test func appWithoutCredentialFailsWithAReasonAndOthersContinue() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                let other = try await bench.stores.apps.create(
                    AppSettings(name: "Without", bundleID: .init("com.example.Without")))
                let failing = try await bench.campaign(app: other.id)
                _ = try await bench.campaign()

                try await bench.work()

                let failed = try await bench.campaigns.find(failing, app: other.id)
                #expect(failed.state == .failed)
                #expect(failed.reason?.description.contains("no APNs key") == true)
                #expect(bench.record.counts.accepted == 3)
            }
        }

        @Test func environmentWithoutCredentialIsSuppressed() async throws {
            try await DispatcherFixture.run(credential: false) { bench in
                _ = try await bench.credentials.create(
                    app: bench.app, keyID: .init(DispatcherFixture.keyID), teamID: .init(DispatcherFixture.teamID),
                    key: bench.key, environments: [.production])
                try await bench.addDevices(1...2)
                try await bench.addDevices(3...4, .development)
                _ = try await bench.campaign()
                try await bench.work()
                let deliveries = try await bench.deliveries()
                #expect(deliveries[1]?.kind == .accepted)
                #expect(deliveries[4]?.reason == "no credential for this environment")
            }
        }

        @Test func scheduleIsStartedWithinItsGraceAndRefusedBeyond() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                func due(_ ago: String) async throws -> Campaign.ID {
                    var content = CampaignContent(name: "Due", payload: #"{"aps":{"alert":"Ding"}}"#)
                    content.missedStart = MissedStart(grace: 3_600, policy: .skip)
                    let made = try await bench.campaigns.create(app: bench.app, content)
                    try await bench.pool.execute(
                        """
                        UPDATE campaigns
                        SET state = 'scheduled', next_check_at = now() - \(ago)::text::interval,
                            handled_until = now() - \(ago)::text::interval - interval '1 minute',
                            schedule = json_build_object('kind', 'at', 'at', to_char(
                                (now() - \(ago)::text::interval) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
                        WHERE id = \(made.id)
                        """)
                    return made.id
                }
                let late = try await due("61 minutes")
                let early = try await due("-1 hours")
                let inTime = try await due("59 minutes")

                try await bench.work()

                let failed = try await bench.campaigns.find(late, app: bench.app)
                #expect(failed.state == .failed)
                #expect(failed.reason?.description.contains("This was due on") == true)
                #expect(try await bench.campaigns.find(early, app: bench.app).state == .scheduled)
                #expect(try await bench.campaigns.find(inTime, app: bench.app).state == .sent)
                #expect(bench.record.counts.accepted == 3)
            }
        }
    }
}
