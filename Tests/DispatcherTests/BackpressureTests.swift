import APNS
import APNSSimulator
import Application
import Campaigns
import EventLoop
import Notifications
import Postgres
import Store
import TestSupport
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// The amount of work that each part does before it waits: for the parts behind it, for Apple, for its turn, for
    /// the end.
    @Suite struct BackpressureTests {
        // MARK: Planning

        @Test(arguments: [(nil, PlanStore.maximumReady), (100, 1), (5_000, 11)])
        func plannerWaitsWhileSendersHaveEnoughBatches(_ pace: Int?, _ ahead: Int) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...(ahead + 3))
                _ = try await bench.campaign { $0.pushesPerSecond = pace }
                guard case .run(let key) = try await bench.starter.startDue().first,
                    let rules = try await bench.stores.planRules.rules(of: key)
                else { throw DispatcherFixture.NotStarted() }
                let run = key.id
                let owner = ProcessID()
                let planner = bench.stores.plans(owner: owner)
                // Each step looks at one device, so each batch holds one.
                while try await planner.runsToPlan() == [bench.key(run)] {
                    _ = try await planner.step(run, by: rules, size: 1, lease: .seconds(60), to: .simulator)
                }
                let batches: Int = try await bench.pool.query("SELECT count(*) FROM batches")[0][0]
                #expect(batches == ahead)
                #expect(try await bench.runs.find(run, app: bench.app).plannedAt == nil)

                // Room again: one is being sent, or is not due yet.
                let claims = bench.stores.claims(owner: owner)
                let open = try #require(try await claims.openRuns().first)
                let claimed = try #require(try await claims.claim(open, limit: 1, lease: .seconds(60)).first)
                #expect(try await planner.runsToPlan() == [bench.key(run)])
                try await claims.release(claimed)
                #expect(try await planner.runsToPlan().isEmpty)
                try await bench.pool.execute(
                    "UPDATE batches SET due_at = now() + interval '1 hour' WHERE id = \(claimed.id)")
                #expect(try await planner.runsToPlan() == [bench.key(run)])
            }
        }

        // MARK: Claiming

        @Test func moreCampaignsThanTheLimitAreAllSent() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                var options = DispatcherFixture.options
                options.maximumBatches = 2
                options.maximumRuns = 4
                // Each takes a second for its two pushes.
                for _ in 1...14 { _ = try await bench.campaign { $0.pushesPerSecond = 1 } }

                try await bench.work(options, runs: 14)

                #expect(bench.record.counts.accepted == 28)
                var (held, most) = (0, 0)
                for event in bench.log.events {
                    if event.isClaim { held += 1 }
                    if event.isDone || event.isRelease || event.isLoss { held -= 1 }
                    most = max(most, held)
                }
                #expect(most > options.maximumBatches && most <= options.maximumBatches + options.maximumRuns)
            }
        }

        // MARK: Retrying

        /// When Apple was asked, in order.
        private final class Times: Sendable {
            private let moments = Lock<[MonotonicTime]>([])

            func note() { moments.withLock { $0.append(.now()) } }

            /// From one to the next.
            var gaps: [Duration] {
                moments.withLock { moments in zip(moments.dropFirst(), moments).map { $0 - $1 } }
            }
        }

        @Test func retriesWithinTheLeaseUseTheConfiguredDelays() async throws {
            let times = Times()
            try await DispatcherFixture.run(observe: { _ in times.note() }) { bench in
                try await bench.addDevices(1...1)
                bench.production.faults = Faults([.init(.serviceUnavailable, .first(3))])
                var options = DispatcherFixture.options
                options.retryDelays = [.milliseconds(800), .milliseconds(100), .milliseconds(400)]
                _ = try await bench.campaign()
                try await bench.work(options)

                #expect(bench.accepted(1) == 1)
                #expect(times.gaps.count == 3)
                for (gap, delay) in zip(times.gaps, options.retryDelays) { #expect(gap >= delay) }
            }
        }

        @Test func laterBatchesBackOffExponentiallyUpToTheLimit() async throws {
            let times = Times()
            try await DispatcherFixture.run(observe: { _ in times.note() }) { bench in
                try await bench.addDevices(1...1)
                bench.production.faults = Faults([.init(.serviceUnavailable, .first(9))])
                var options = DispatcherFixture.options
                options.retryDelays = []
                options.retryLater = .milliseconds(100)
                options.longestRetry = .milliseconds(250)
                _ = try await bench.campaign()
                try await bench.work(options)

                #expect(bench.accepted(1) == 1)
                #expect(times.gaps.count == 9)
                let least: [Duration] =
                    [.milliseconds(100), .milliseconds(200)] + Array(repeating: .milliseconds(250), count: 7)
                for (gap, least) in zip(times.gaps, least) { #expect(gap >= least) }
                // Doubled without end, it would be 25 s.
                #expect(try #require(times.gaps.last) < .seconds(12))
            }
        }

        // MARK: Transactional pushes

        @Test func requestsAboveTheQueueLimitAreRefusedAndNoOthersAreLost() async throws {
            try await DispatcherFixture.run { bench in
                let size = PushRequest.maximumDevices
                try await bench.addDevices(1...size)
                bench.production.faults = Faults([.init(.refuseConnection)])
                try await bench.withPushSender { sender, _ in
                    let request = try await bench.pushRequest(Array(1...size))
                    for _ in 1...DispatcherFixture.options.maximumUnresolved / size {
                        _ = try await sender.send(request)
                    }
                    await #expect {
                        _ = try await sender.send(request)
                    } throws: {
                        if case GroupCommitError.full = $0 { true } else { false }
                    }
                }
                let stored = try await bench.pool.query(
                    "SELECT sum(size)::bigint, sum(pending)::bigint, bool_and(state = 'done') FROM batches")[0]
                #expect(try stored[0, as: Int.self] == DispatcherFixture.options.maximumUnresolved)
                #expect(try stored[1, as: Int.self] == 0 && stored[2, as: Bool.self])
                #expect(bench.record.counts.requests == 0)
            }
        }

        // MARK: Tokens

        @Test func providerTokenIsRenewedBetweenFortyAndFiftyMinutes() async throws {
            try await DispatcherFixture.run { bench in
                let found = try #require(
                    try await bench.credentials.signingKey(app: bench.app, environment: .production))
                let store = bench.stores.providerTokens
                /// A process that looks for the first time.
                func token() async throws -> String {
                    try await SharedTokenSource(credential: found.credential, key: found.key, store: store).token().text
                }
                func age(minutes: Int32) async throws {
                    try await bench.pool.execute(
                        "UPDATE provider_tokens SET issued_at = now() - make_interval(mins => \(minutes))")
                }
                let first = try await token()
                for _ in 1...20 {
                    try await age(minutes: 39)
                    #expect(try await token() == first)
                }
                for _ in 1...20 {
                    try await age(minutes: 50)
                    // Whoever comes next has the new one too.
                    let fresh = try await token()
                    #expect(fresh != first)
                    #expect(try await token() == fresh)
                }
            }
        }

        // MARK: The end

        @Test func processStopsInTimeWithoutItsDatabase() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...200)
                // Its answers come while the database is away.
                bench.production.faults = Faults([.init(.delay(by: .milliseconds(700)))])
                let campaign = try await bench.campaign(.leave)
                var options = DispatcherFixture.hastyOptions
                options.drain = .seconds(2)
                var began = MonotonicTime.now()
                try await bench.withWorker(options) {
                    await bench.log.wait(for: \.isDeclaration)
                    await bench.record.waitUntilAccepted(1)
                    try await TestDatabase.setAcceptingConnections(false, bench.configuration)
                    began = .now()
                }
                let took = MonotonicTime.now() - began
                #expect(took < .seconds(10), "\(took)")
                #expect(bench.log.count(where: \.isLoss) == 1)

                // The outcomes that it could not store are unknown, and the next process says so.
                try await TestDatabase.setAcceptingConnections(true, bench.configuration)
                bench.production.faults = .none
                try await bench.work(DispatcherFixture.hastyOptions)
                let run = try await bench.run(of: campaign)
                #expect(run.isBalanced && run.verifiedAt != nil && run.targeted == 200)
                #expect(run.ledger[.unknown] > 0 && run.ledger[.accepted] + run.ledger[.unknown] == 200)
                #expect((1...200).allSatisfy { bench.accepted($0) <= 1 })
            }
        }
    }
}
