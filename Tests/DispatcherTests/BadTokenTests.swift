import APNSSimulator
import Campaigns
import Dispatcher
import Notifications
import Postgres
import Store
import Testing

extension DispatcherSuite {
    /// Tokens that Apple does not know, or only for another topic, are not sent to for ever.
    @Suite struct BadTokenTests {
        private static let bad = 999

        /// An app with a credential for production alone, and 40 devices.
        private static func run(_ body: @escaping (DispatcherFixture) async throws -> Void) async throws {
            try await DispatcherFixture.run(credential: false) { bench in
                _ = try await bench.credentials.create(
                    app: bench.app, keyID: KeyID(DispatcherFixture.keyID), teamID: TeamID(DispatcherFixture.teamID),
                    key: bench.key, environments: [.production])
                try await bench.addDevices(1...40)
                try await bench.age()
                try await body(bench)
            }
        }

        private static func retired(_ bench: DispatcherFixture) async throws -> [String] {
            try await bench.pool.query(
                "SELECT installation FROM devices WHERE retired_at IS NOT NULL AND retired_reason = 3 ORDER BY id"
            ).map { try $0[0] }
        }

        @Test func unknownTokenIsSentToOnceWithoutAnotherEnvironmentToTry() async throws {
            try await Self.run { bench in
                try await bench.pool.execute(
                    "UPDATE devices SET token = \(DispatcherFixture.token(Self.bad)) WHERE installation = '5'")
                for runs in 1...2 {
                    _ = try await bench.campaign()
                    try await bench.work(runs: runs)
                    #expect(try await Self.retired(bench) == ["5"])
                }
                #expect(bench.requests(Self.bad) == 1)
                // The app registers again: another token, or the same one.
                try await bench.pool.execute(
                    "UPDATE devices SET retired_at = NULL, retired_reason = NULL, token_registered_at = now()")
                _ = try await bench.campaign()
                try await bench.work(runs: 3)
                #expect(bench.requests(Self.bad) == 2)
            }
        }

        @Test(arguments: [10, 30])
        func manyUnknownTokensAreNotRetired(_ count: Int) async throws {
            try await Self.run { bench in
                try await bench.pool.execute(
                    """
                    UPDATE devices SET token = set_byte(token, 0, 1)
                    WHERE installation::integer <= \(Int32(count))
                    """)
                let campaign = try await bench.campaign { $0.rejectionThresholdPercent = nil }
                try await bench.work()
                #expect(try await bench.run(of: campaign).ledger[.rejected] == count)
                #expect(try await Self.retired(bench).isEmpty)
            }
        }

        /// The device belongs to another app of the same developer.
        private static func makeForeign(_ number: Int, _ bench: DispatcherFixture) async throws {
            bench.phones.add(
                token: DispatcherFixture.token(bad), environment: .production, topic: "com.example.Other")
            try await bench.pool.execute(
                """
                UPDATE devices SET token = \(DispatcherFixture.token(bad)) WHERE installation = \("\(number)")
                """)
        }

        @Test func tokenOfAnotherTopicIsRetiredByTheSecondRun() async throws {
            try await Self.run { bench in
                try await Self.makeForeign(7, bench)
                for runs in 1...3 {
                    _ = try await bench.campaign()
                    try await bench.work(runs: runs)
                    #expect(try await Self.retired(bench) == (runs == 1 ? [] : ["7"]))
                }
                #expect(try await bench.deliveries()[7]?.reason == "DeviceTokenNotForTopic")
                #expect(bench.requests(Self.bad) == 2)
                #expect(try await bench.pool.query("SELECT FROM suspect_tokens").isEmpty)
            }
        }

        @Test func registrationBetweenTwoRunsClearsTheSuspicion() async throws {
            try await Self.run { bench in
                try await Self.makeForeign(7, bench)
                _ = try await bench.campaign()
                try await bench.work()
                #expect(try await bench.pool.query("SELECT FROM suspect_tokens").count == 1)
                // It registers again, with a token that is foreign as well, and an hour goes by.
                try await bench.pool.execute("UPDATE suspect_tokens SET reported_at = now() - interval '2 hours'")
                _ = try await bench.campaign()
                try await bench.work(runs: 2)
                #expect(try await Self.retired(bench).isEmpty)
                _ = try await bench.campaign()
                try await bench.work(runs: 3)
                #expect(try await Self.retired(bench) == ["7"])
            }
        }

        // MARK: Transactional pushes

        @Test func transactionalPushesRetireUnknownTokens() async throws {
            try await Self.run { bench in
                try await bench.pool.execute(
                    "UPDATE devices SET token = \(DispatcherFixture.token(Self.bad)) WHERE installation = '5'")
                try await bench.withPushSender { sender, log in
                    // Alone, it says as much about the configuration as about the token.
                    _ = try await sender.send(bench.pushRequest([5], token: Self.bad))
                    await log.waitForEnds(1)
                    _ = try await sender.send(bench.pushRequest(Array(10...19)))
                    await log.waitForEnds(2)
                }
                #expect(try await Self.retired(bench).isEmpty)
                try await bench.withPushSender { sender, log in
                    _ = try await sender.send(bench.pushRequest(Array(10...19)))
                    await log.waitForEnds(1)
                    _ = try await sender.send(bench.pushRequest([5], token: Self.bad))
                    await log.waitForEnds(2)
                }
                #expect(try await Self.retired(bench) == ["5"])
            }
        }

        @Test func manyUnknownTokensOfTransactionalPushesEndTheRetiring() async throws {
            try await Self.run { bench in
                try await bench.withPushSender { sender, log in
                    _ = try await sender.send(bench.pushRequest(Array(1...10)))
                    await log.waitForEnds(1)
                    for number in 11...14 {
                        _ = try await sender.send(bench.pushRequest([number], token: Self.bad + number))
                        await log.waitForEnds(number - 9)
                    }
                }
                // The third of thirteen is more than a fifth.
                #expect(try await Self.retired(bench) == ["11", "12"])
            }
        }

        @Test func transactionalPushesConfirmATokenOfAnotherTopicInALaterHour() async throws {
            try await Self.run { bench in
                try await Self.makeForeign(7, bench)
                func push() async throws {
                    try await bench.withPushSender { sender, log in
                        _ = try await sender.send(bench.pushRequest(Array(10...19)))
                        await log.waitForEnds(1)
                        _ = try await sender.send(bench.pushRequest([7], token: Self.bad))
                        await log.waitForEnds(2)
                    }
                }
                try await push()
                #expect(try await bench.pool.query("SELECT FROM suspect_tokens WHERE run_id < 0").count == 1)
                #expect(try await Self.retired(bench).isEmpty)
                try await bench.pool.execute("UPDATE suspect_tokens SET run_id = run_id + 1")
                try await push()
                #expect(try await Self.retired(bench) == ["7"])
            }
        }

        @Test func reportsOfOneHourAreOneOccasion() async throws {
            try await Self.run { bench in
                let device: Int64 = try await bench.pool.query("SELECT id FROM devices WHERE installation = '7'")[0][0]
                func retired(by hour: Int64) async throws -> Int {
                    let token = DeviceRetirementStore.InvalidatedToken(
                        device: device, since: Timestamp.now.microseconds / 1_000, reason: .badToken,
                        suspectIn: .hour(hour))
                    return try await bench.stores.retiring.retire([token], app: bench.app)
                }
                #expect(try await retired(by: 491_000) == 0)
                #expect(try await retired(by: 491_000) == 0)
                #expect(try await retired(by: 491_001) == 1)
            }
        }

        /// Its device may belong to the other environment: the next campaign tries that.
        @Test func transactionalPushesReportNoUnknownTokenWhereTheAppHasAnotherEnvironment() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...40)
                try await bench.age()
                try await bench.withPushSender { sender, log in
                    _ = try await sender.send(bench.pushRequest(Array(10...19)))
                    await log.waitForEnds(1)
                    _ = try await sender.send(bench.pushRequest([5], token: Self.bad))
                    await log.waitForEnds(2)
                }
                #expect(try await Self.retired(bench).isEmpty)
                #expect(try await bench.pool.query("SELECT FROM suspect_tokens").isEmpty)
            }
        }

        /// A campaign and a transactional push are two occasions.
        @Test func transactionalPushConfirmsWhatACampaignSuspected() async throws {
            try await Self.run { bench in
                try await Self.makeForeign(7, bench)
                _ = try await bench.campaign()
                try await bench.work()
                #expect(try await Self.retired(bench).isEmpty)
                try await bench.withPushSender { sender, log in
                    _ = try await sender.send(bench.pushRequest(Array(10...19)))
                    await log.waitForEnds(1)
                    _ = try await sender.send(bench.pushRequest([7], token: Self.bad))
                    await log.waitForEnds(2)
                }
                #expect(try await Self.retired(bench) == ["7"])
            }
        }

        /// The campaign begins before the device registers another token.
        @Test func deviceThatRegistersWhileItsBatchIsSentIsNotRetired() async throws {
            try await Self.run { bench in
                try await bench.pool.execute(
                    "UPDATE devices SET token = \(DispatcherFixture.token(Self.bad)) WHERE installation = '5'")
                _ = try await bench.plannedRun()
                try await bench.pool.execute("UPDATE batches SET due_at = now() - interval '30 minutes'")
                try await bench.pool.execute(
                    "UPDATE devices SET token_registered_at = now() - interval '10 minutes' WHERE installation = '5'")
                try await bench.work()
                #expect(bench.requests(Self.bad) == 1)
                #expect(try await Self.retired(bench).isEmpty)
            }
        }
    }
}

extension DispatcherFixture {
    /// As if the devices had registered an hour ago.
    fileprivate func age() async throws {
        try await pool.execute("UPDATE devices SET token_registered_at = now() - interval '1 hour'")
        try await pool.execute("UPDATE device_activity SET last_seen_at = now() - interval '1 hour'")
    }
}
