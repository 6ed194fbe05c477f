import APNS
import APNSSimulator
import Campaigns
import EventLoop
import Postgres
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// Pushes a second, measured where they arrive, and what happens within a second.
    @Suite(.retriedAfterStalls(by: .milliseconds(100))) struct RateLimitTests {
        /// The number of pushes that arrive in `seconds`, after `first` pushes have arrived.
        private static func arrivals(
            _ bench: DispatcherFixture, seconds: Int, after first: Int = 1
        ) async throws -> Int {
            await bench.record.waitUntilAccepted(first)
            let loop = try EventLoop(name: "clock")
            defer { loop.stop() }
            let before = bench.record.counts.accepted
            try await withTaskExecutorPreference(loop) { try await loop.sleep(for: .seconds(seconds)) }
            return bench.record.counts.accepted - before
        }

        /// Expects that about one push a second arrives soon. A window that was declared before the change may still be on
        /// its way, on a busy machine for seconds. At the old pace all would be gone after the first of these times.
        private static func expectOnePushASecond(_ bench: DispatcherFixture, of all: Int) async throws {
            var counts = [try await arrivals(bench, seconds: 2)]
            while let last = counts.last, !(1...4).contains(last), counts.count < 5 {
                counts.append(try await arrivals(bench, seconds: 2))
            }
            #expect((1...4).contains(counts.last ?? 0), "\(counts) in two seconds each")
            #expect(bench.record.counts.accepted < all)
        }

        /// The bench does the same at 30,000 pushes a second; this test has to hold on a slow machine without
        /// optimization.
        @Test(arguments: [7, 500])
        func rateLimitAppliesAcrossTwoProcesses(_ pace: Int) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...(pace * 12))
                let campaign = try await bench.campaign { $0.pushesPerSecond = pace }
                try await bench.withWorker {
                    try await bench.withWorker {
                        let count = try await Self.arrivals(bench, seconds: 10)
                        #expect(abs(Double(count) / Double(pace * 10) - 1) <= 0.1, "\(count) in ten seconds")
                        _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                        await bench.log.wait(for: \.isVerifiedFinish)
                    }
                }
            }
        }

        /// Within what windows of a few pushes and a busy machine allow; without larger windows it would be a half
        /// less.
        @Test(arguments: [(7, 0.2), (300, 0.1)])
        func rateIsReachedWithSlowAnswers(_ pace: Int, _ tolerance: Double) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...(pace * 16))
                bench.production.faults = Faults([.init(.delay(by: .milliseconds(300)))])
                let campaign = try await bench.campaign { $0.pushesPerSecond = pace }
                try await bench.withWorker {
                    let count = try await Self.arrivals(bench, seconds: 10, after: 2 * pace)
                    #expect(abs(Double(count) / Double(pace * 10) - 1) <= tolerance, "\(count) in ten seconds")
                    _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
            }
        }

        @Test func unansweredPushDoesNotBlockARateLimitedCampaign() async throws {
            try await DispatcherFixture.run { bench in
                // Two batches.
                try await bench.addDevices(1...10_000)
                let campaign = try await bench.campaign { $0.pushesPerSecond = 200 }
                var options = DispatcherFixture.options
                options.apns.requestDeadline = .seconds(8)
                options.lease = .seconds(20)
                try await bench.withWorker(options) {
                    await bench.record.waitUntilAccepted(100)
                    bench.production.faults = Faults([.init(.noAnswer(accepted: false), .first(1))])
                    let count = try await Self.arrivals(bench, seconds: 5, after: 200)
                    #expect(abs(Double(count) / 1_000 - 1) <= 0.1, "\(count) in five seconds")
                    bench.production.faults = .none
                    _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                }
            }
        }

        @Test func databaseLoadIsLowWhileAppleIsUnavailable() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...50)
                bench.production.faults = Faults([.init(.refuseConnection)])
                _ = try await bench.campaign(.leave)
                var options = DispatcherFixture.options
                options.unavailableRetryDelay = .milliseconds(200)
                options.apns.shortestPause = .seconds(30)
                options.apns.longestPause = .seconds(30)
                try await bench.withWorker(options) {
                    await bench.log.wait(for: \.isDeclaration)
                    let loop = try EventLoop(name: "clock")
                    defer { loop.stop() }
                    try await withTaskExecutorPreference(loop) { try await loop.sleep(for: .seconds(2)) }
                    let flushes: Int32 = try await bench.pool.query("SELECT flush_seq FROM batches")[0][0]
                    // One a pause, and some to begin with.
                    #expect((2...20).contains(flushes), "\(flushes) flushes in two seconds")
                }
            }
        }

        @Test func campaignsShareTheAppsRateLimitAndKeepTheirOwn() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2_500)
                try await bench.pool.execute("UPDATE apps SET pushes_per_second = 200")
                let slow = try await bench.campaign { $0.pushesPerSecond = 20 }
                let fast = try await bench.campaign()
                try await bench.withWorker {
                    try await bench.withWorker {
                        let count = try await Self.arrivals(bench, seconds: 10)
                        #expect(abs(Double(count) / 2_000 - 1) <= 0.05, "\(count) in ten seconds")
                        for campaign in [slow, fast] { _ = try await bench.campaigns.cancel(campaign, app: bench.app) }
                        await bench.log.wait { $0.count(where: \.isVerifiedFinish) == 2 }
                        // Before the end, the ledger is behind the wire. Cancelling may take two seconds, and the
                        // slow one may begin a second or two after the other.
                        let few = try await bench.run(of: slow).ledger[.accepted]
                        #expect((150...250).contains(few), "\(few) of the slow one")
                    }
                }
            }
        }

        @Test func changedRateLimitAppliesImmediately() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3_000)
                let campaign = try await bench.campaign { $0.pushesPerSecond = 2_000 }
                try await bench.withWorker {
                    await bench.record.waitUntilAccepted(400)
                    let run = try await bench.run(of: campaign).id
                    _ = try await bench.runs.setRateLimit(run, app: bench.app, to: 1)
                    await bench.log.wait { $0.contains(where: \.isDeclaration) }
                    try await Self.expectOnePushASecond(bench, of: 3_000)
                    let asked = MonotonicTime.now()
                    _ = try await bench.runs.setRateLimit(run, app: bench.app, to: nil)
                    await bench.log.wait(for: \.isVerifiedFinish)
                    #expect(MonotonicTime.now() - asked < .seconds(5))
                }
            }
        }

        /// The worker does not look at the run meanwhile: it learns the new limit when it reserves time for a window, which
        /// is too large then.
        @Test func reservationTellsAboutAChangedRateLimit() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3_000)
                _ = try await bench.campaign { $0.pushesPerSecond = 2_000 }
                var options = DispatcherFixture.options
                options.poll = .seconds(30)
                try await bench.withWorker(options) {
                    await bench.record.waitUntilAccepted(400)
                    try await bench.pool.execute(
                        "WITH deleted AS (DELETE FROM rate_limits) UPDATE runs SET pushes_per_second = 1")
                    try await Self.expectOnePushASecond(bench, of: 3_000)
                }
            }
        }

        @Test func pauseStopsWithinASecondAndResumeSendsTheRestOnce() async throws {
            try await CampaignCommandTests.slow { bench in
                let campaign = try await bench.campaign(.leave)
                try await bench.withWorker {
                    await bench.record.waitUntilAccepted(100)
                    let asked = MonotonicTime.now()
                    _ = try await bench.campaigns.pause(campaign, app: bench.app)
                    // Planning makes a small batch first and a large one after it. Both were claimed.
                    await bench.log.wait { events in
                        events.contains(where: \.isRelease)
                            && events.count(where: \.isClaim) == events.count { $0.isRelease || $0.isDone }
                    }
                    // The pushes on the wire were answered, which takes half a second here.
                    #expect(MonotonicTime.now() - asked < .seconds(1))
                    let run = try await bench.run(of: campaign)
                    let accepted = bench.record.counts.accepted
                    #expect(accepted < 4_000)
                    #expect(run.state == .paused)
                    #expect(run.ledger[.accepted] == accepted && run.ledger[.pending] == 5_000 - accepted)

                    bench.production.faults = .none
                    _ = try await bench.campaigns.resume(campaign, app: bench.app)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 5_000)
                #expect((1...5_000).allSatisfy { bench.accepted($0) == 1 })
            }
        }

        @Test func pauseOfASlowCampaignTakesEffectWithinASecond() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...50)
                let campaign = try await bench.campaign { $0.pushesPerSecond = 1 }
                try await bench.withWorker {
                    await bench.record.waitUntilAccepted(1)
                    let asked = MonotonicTime.now()
                    _ = try await bench.campaigns.pause(campaign, app: bench.app)
                    await bench.log.wait(for: \.isRelease)
                    #expect(MonotonicTime.now() - asked < .seconds(1))
                    let run = try await bench.run(of: campaign)
                    #expect(run.ledger[.accepted] == bench.record.counts.accepted && run.ledger[.unknown] == 0)
                }
            }
        }

        @Test func concurrentReservationsFollowOneAnother() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...10)
                let run = try await bench.plannedRun()
                let rateLimits = bench.stores.rateLimits
                let unlimited = try await rateLimits.reserve(100, run: run, app: bench.app)
                #expect(unlimited.delay == .zero && unlimited.pushesPerSecond == nil)
                try await bench.pool.execute("UPDATE runs SET pushes_per_second = 10")
                try await bench.pool.execute("UPDATE apps SET pushes_per_second = 1000")
                func book(_ count: Int) async throws -> Double {
                    try await rateLimits.reserve(count, run: run, app: bench.app).delay.seconds
                }
                let waits = [try await book(5), try await book(10), try await book(1_000), try await book(1)]
                #expect(waits[0] == 0)
                #expect(try await rateLimits.reserve(1, run: run, app: bench.app).pushesPerSecond == 10)
                // No reservation takes more than a second, whatever the limit was when the window was composed.
                for (wait, expected) in zip(waits.dropFirst(), [0.5, 1.5, 2.5]) { #expect(abs(wait - expected) < 0.3) }
            }
        }

        @Test func unlimitedPushesAreChargedToTheAppAndDelayCampaigns() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...10)
                let run = try await bench.plannedRun()
                let rateLimits = bench.stores.rateLimits
                try await rateLimits.charge([bench.app: 500])
                #expect(try await rateLimits.reserve(1, run: run, app: bench.app).delay == .zero)
                try await bench.pool.execute("UPDATE apps SET pushes_per_second = 1000")
                try await rateLimits.charge([bench.app: 500])
                let wait = try await rateLimits.reserve(1, run: run, app: bench.app).delay.seconds
                #expect(0.2...0.6 ~= wait)
                // However many: a campaign waits for seconds at most.
                for _ in 0..<5 { try await rateLimits.charge([bench.app: 100_000]) }
                #expect(4...5.1 ~= (try await rateLimits.reserve(1, run: run, app: bench.app).delay.seconds))
            }
        }
    }
}
