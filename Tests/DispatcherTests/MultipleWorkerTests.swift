import APNS
import APNSSimulator
import Campaigns
import Crypto
import EventLoop
import Notifications
import Postgres
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// Several processes on one database, and what they leave to each other.
    @Suite struct MultipleWorkerTests {
        @Test func twoWorkersShareACampaignAndNobodyIsSentTwice() async throws {
            try await DispatcherFixture.run({ $0.streams.afterToken = 200 }) { bench in
                try await bench.addDevices(1...6_000)
                try await bench.addDevices(6_001...12_000, .development)
                for server in [bench.production, bench.sandbox] {
                    server.faults = Faults([.init(.delay(by: .milliseconds(20)))])
                }
                let campaign = try await bench.campaign(.leave)
                var options = DispatcherFixture.options
                options.maximumBatches = 1
                let (one, two) = (EventLog(), EventLog())

                try await bench.withWorker(options, log: one) {
                    try await bench.withWorker(options, log: two) {
                        await one.wait { $0.contains(where: \.isClaim) }
                        await two.wait { $0.contains(where: \.isClaim) }
                        // Whoever ends the run tells; the other is told by the database.
                        try await bench.until { try await bench.run(of: campaign).finishedAt != nil }
                    }
                }

                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 12_000 && run.isBalanced && run.verifiedAt != nil)
                #expect(bench.record.counts.accepted == 12_000 && bench.record.counts.tokens == 12_000)
                #expect(one.count(where: \.isFinish) + two.count(where: \.isFinish) == 1)
            }
        }

        /// A holder that died: 10 were answered, one put back, 30 declared, the lease is over.
        static func abandon(_ bench: DispatcherFixture, until lease: String) async throws {
            var outcomes = [UInt8](repeating: OutcomeCode.pending, count: 60)
            for index in 0..<10 { outcomes[index] = OutcomeCode.accepted }
            outcomes[29] = OutcomeCode.requeued
            try await bench.pool.execute(
                """
                UPDATE batches
                SET state = 'leased', owner = \(ProcessID()), attempt = 1, flush_seq = 3, sent_through = 30,
                    lease_until = now() + \(lease)::text::interval, outcomes = \(outcomes), accepted = 10, pending = 50
                """)
        }

        @Test(arguments: [UnknownPolicy.resend, .leave])
        func takeoverMarksDeclaredRecipientsAsUnknown(_ policy: UnknownPolicy) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                let run = try await bench.plannedRun(policy)
                try await Self.abandon(bench, until: "-1 seconds")

                try await bench.work(DispatcherFixture.hastyOptions)

                #expect(bench.log.count(where: \.isTakeOver) == 1)
                let deliveries = try await bench.deliveries()
                let fresh = DispatcherFixture.Delivery(kind: .accepted, reason: "", isResent: false)
                for number in 1...60 {
                    switch number {
                    case 1...10:
                        #expect(deliveries[number] == fresh)
                        #expect(bench.requests(number) == 0)
                    case 11...29 where policy == .resend:
                        #expect(deliveries[number] == .init(kind: .accepted, reason: "", isResent: true))
                        #expect(bench.requests(number) == 1)
                    case 11...29:
                        #expect(deliveries[number] == .init(kind: .unknown, reason: "worker lost", isResent: false))
                        #expect(bench.requests(number) == 0)
                    default:
                        #expect(deliveries[number] == fresh)
                        #expect(bench.requests(number) == 1)
                    }
                }
                let record = try await bench.runs.find(run, app: bench.app)
                #expect(record.isBalanced && record.ledger.resent == (policy == .resend ? 19 : 0))
            }
        }

        @Test func lostBatchOfAnUnsendableRunIsTakenOverOnce() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                let run = try await bench.plannedRun(.leave)
                try await Self.abandon(bench, until: "-1 seconds")
                try await bench.pool.execute(#"UPDATE run_variants SET payload = '{"aps": {"badge": "x"}}'"#)
                try await bench.withWorker(DispatcherFixture.hastyOptions) {
                    try await bench.untilPaused(run)
                    // Many rounds later it was tried once.
                    let other = try await bench.campaign()
                    await bench.log.wait(for: \.isVerifiedFinish)
                    #expect(try await bench.run(of: other).ledger[.accepted] == 60)
                    #expect(bench.log.count(where: \.isTakeOver) == 1)
                    _ = try await bench.runs.transition(run, app: bench.app, by: .cancel)
                    await bench.log.wait { $0.count(where: \.isVerifiedFinish) == 2 }
                }
                let ended = try await bench.runs.find(run, app: bench.app)
                #expect([.accepted, .unknown, .cancelled].map { ended.ledger[$0] } == [10, 19, 31])
            }
        }

        @Test func batchWhoseLeaseLastsIsNotTakenOver() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                _ = try await bench.plannedRun()
                try await Self.abandon(bench, until: "1 hours")
                // Another run, so that there is an end to wait for.
                _ = try await bench.campaign()

                try await bench.withWorker { await bench.log.wait(for: \.isFinish) }

                #expect(bench.log.count(where: \.isTakeOver) == 0)
                let rows = try await bench.pool.query("SELECT flush_seq, attempt FROM batches WHERE state = 'leased'")
                #expect(rows.count == 1)
                #expect(try rows[0][0, as: Int32.self] == 3)
                #expect(try rows[0][1, as: Int32.self] == 1)
            }
        }

        @Test func workerWithoutFreeCapacityStillTakesOverBatches() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                let lost = try await bench.plannedRun(.leave)
                try await Self.abandon(bench, until: "1 hours")
                let slow = try await bench.campaign { $0.pushesPerSecond = 1 }
                var options = DispatcherFixture.hastyOptions
                options.maximumBatches = 1
                try await bench.withWorker(options) {
                    await bench.log.wait(for: \.isDeclaration)
                    try await bench.pool.execute(
                        "UPDATE batches SET lease_until = now() - interval '1 second' WHERE run_id = \(lost)")
                    await bench.log.wait(for: \.isVerifiedFinish)
                    #expect(try await bench.runs.find(lost, app: bench.app).ledger[.accepted] == 41)
                    #expect(try await bench.run(of: slow).ledger[.pending] > 0)
                }
                #expect(bench.log.count(where: \.isTakeOver) == 1)
            }
        }

        @Test func unknownBatchLeasedToThisProcessIsTakenOverImmediately() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                _ = try await bench.plannedRun()
                let owner = ProcessID()
                // The answer to the claim was lost.
                try await bench.pool.execute(
                    """
                    UPDATE batches SET state = 'leased', owner = \(owner), attempt = 1,
                        lease_until = now() + interval '1 hour'
                    """)
                try await bench.withWorker(owner: owner) { await bench.log.wait(for: \.isVerifiedFinish) }
                #expect(bench.record.counts.accepted == 60)
            }
        }

        @Test func formerHolderStoresAndSendsNothing() async throws {
            try await DispatcherFixture.run({ $0.streams.afterToken = 100 }) { bench in
                try await bench.addDevices(1...2_000)
                bench.production.faults = Faults([.init(.delay(by: .milliseconds(50)))])
                _ = try await bench.campaign(.leave)
                try await bench.withWorker {
                    await bench.record.waitUntilAccepted(100)
                    let taken = try await bench.pool.query(
                        """
                        UPDATE batches SET owner = \(ProcessID()), attempt = attempt + 1,
                            lease_until = now() + interval '1 hour'
                        RETURNING flush_seq, outcomes, sent_through
                        """)
                    await bench.log.wait(for: \.isLoss)
                    let now = try await bench.pool.query("SELECT flush_seq, outcomes, sent_through FROM batches")
                    #expect(try now[0][0, as: Int32.self] == taken[0][0, as: Int32.self])
                    #expect(try now[0][1, as: [UInt8].self] == taken[0][1, as: [UInt8].self])
                    // No push was sent to recipients that no stored flush had declared.
                    #expect(bench.record.counts.requests <= Int(try taken[0][2, as: Int32.self]))
                }
                let declared = try await bench.pool.query("SELECT sent_through FROM batches")
                #expect(bench.record.counts.requests <= Int(try declared[0][0, as: Int32.self]))
                #expect(bench.record.counts.requests < 2_000)
            }
        }

        @Test func shutdownFinishesSentPushesAndReleasesLeasesImmediately() async throws {
            try await DispatcherFixture.run({ $0.streams.afterToken = 100 }) { bench in
                try await bench.addDevices(1...5_000)
                bench.production.faults = Faults([.init(.delay(by: .milliseconds(50)))])
                let campaign = try await bench.campaign(.leave)
                try await bench.withWorker { await bench.record.waitUntilAccepted(100) }

                let rows = try await bench.pool.query("SELECT state FROM batches WHERE state = 'leased'")
                #expect(rows.isEmpty)
                let half = try await bench.run(of: campaign)
                #expect(half.ledger[.unknown] == 0 && half.ledger[.pending] > 0)
                #expect(half.ledger[.accepted] == bench.record.counts.accepted)

                bench.production.faults = .none
                try await bench.work()
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 5_000)
                #expect((1...5_000).allSatisfy { bench.accepted($0) == 1 })
            }
        }

        @Test func oneProviderTokenServesAllProcesses() async throws {
            try await DispatcherFixture.run { bench in
                let stores = [bench.pool, bench.pool].map {
                    ProviderTokenStore(pool: $0, sealingKeys: bench.sealingKeys)
                }
                let found = try #require(
                    try await bench.credentials.signingKey(app: bench.app, environment: .production))
                let sources = stores.map {
                    SharedTokenSource(credential: found.credential, key: found.key, store: $0)
                }
                async let first = sources[0].token()
                async let second = sources[1].token()
                let (one, two) = try await (first, second)
                #expect(one == two)
                // Too young to be replaced: Apple would refuse another.
                #expect(try await sources[0].replace(one) == one)

                try await bench.pool.execute(
                    "UPDATE provider_tokens SET issued_at = issued_at - interval '21 minutes'")
                let fresh = try await sources[0].replace(one)
                #expect(fresh != one)
                #expect(try await sources[1].replace(two) == fresh)
            }
        }

        @Test func undecryptableSharedTokenIsReplaced() async throws {
            try await DispatcherFixture.run { bench in
                let store = bench.stores.providerTokens
                let (team, id) = (try TeamID(DispatcherFixture.teamID), try KeyID(DispatcherFixture.keyID))
                func token(_ new: String) async throws -> String {
                    try await store.token(team: team, keyID: id, key: bench.key.publicKey, olderThan: 60) { _ in new }
                        .text
                }
                #expect(try await token("first") == "first")
                try await bench.pool.execute("UPDATE provider_tokens SET sealed_token = sha256(sealed_token)")
                #expect(try await token("second") == "second")
                #expect(try await token("third") == "second")
            }
        }

        @Test func inconsistentOptionsAreRefused() {
            var options = DispatcherOptions()
            options.lease = options.apns.requestDeadline + options.renewal + options.margin
            #expect(options.problem != nil)
            options.lease += .nanoseconds(1)
            #expect(options.problem == nil)
        }
    }
}
