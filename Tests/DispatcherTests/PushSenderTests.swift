import APNS
import APNSSimulator
import Application
import Campaigns
import Dispatcher
import EventLoop
import HTTP2
import JSON
import Notifications
import Postgres
import Store
import TestSupport
import Testing

extension DispatcherSuite {
    /// Transactional pushes, from the request to the ledger.
    @Suite struct PushSenderTests {
        private static let accepted = OutcomeReason.of(.accepted)

        @Test func pushesAreSentAndTheLedgerHasEachOutcome() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                try await bench.addDevices(3...3, .development)
                // Apple does not know this one.
                try await bench.pool.insertDevice("4", of: bench.app, ["token": "\(DispatcherFixture.token(4))"])
                try await bench.withPushSender { sender, log in
                    let request = try await bench.pushRequest(
                        [1, 2, 3, 4], suppressed: [2: OutcomeCode.suppressedOptedOut])
                    let receipt = try #require(try await sender.send(request).receipt)
                    #expect(receipt.entries.count == 4)
                    #expect(receipt.id.parts.map(\.count) == [3, 1])
                    await log.waitForEnds(2)

                    #expect(
                        try await bench.outcomes(of: receipt) == [
                            1: Self.accepted, 2: .of(.suppressed, "opted out of the topic"), 3: Self.accepted,
                            4: .of(.rejected, "BadDeviceToken"),
                        ])
                    #expect(bench.accepted(1) == 1 && bench.requests(2) == 0 && bench.accepted(3) == 1)
                    // The payload carries the id under which the push is answered for.
                    let keys = Array(
                        try await bench.stores.messageKeys
                            .messageKeys(app: bench.app).values)
                    #expect(receipt.entries.allSatisfy { keys.verify($0.id) })
                    let sent = bench.inbox.all.compactMap { $0["i"] }
                    #expect(sent.count == 2)
                    #expect(sent.allSatisfy { id in receipt.entries.contains { .string($0.id.text) == id } })
                }
                try await Self.expectBalance(bench)
            }
        }

        /// Every batch's counters are those of its bytes, and every recipient stands in the history.
        private static func expectBalance(_ bench: DispatcherFixture) async throws {
            let wrong = try await bench.pool.query(
                """
                SELECT b.id FROM batches b
                WHERE b.run_id IS NULL AND (b.state <> 'done' OR b.ended_at IS NULL
                    OR (accepted, rejected, suppressed, expired,
                    cancelled, unknown) <> (SELECT count(*) FILTER (WHERE outcome = 'accepted'),
                        count(*) FILTER (WHERE outcome = 'rejected'), count(*) FILTER (WHERE outcome = 'suppressed'),
                        count(*) FILTER (WHERE outcome = 'expired'), count(*) FILTER (WHERE outcome = 'cancelled'),
                        count(*) FILTER (WHERE outcome = 'unknown') FROM bi.deliveries d WHERE d.batch_id = b.id))
                """)
            #expect(wrong.isEmpty)
            let history = try await bench.pool.query(
                """
                SELECT count(*), (SELECT sum(size) FROM batches WHERE run_id IS NULL)
                FROM devices d CROSS JOIN LATERAL bi.device_history(d.app_id, d.id) h
                WHERE h.run_id IS NULL
                """)
            #expect(try history[0][0, as: Int.self] == history[0][1, as: Int.self])
        }

        @Test func requestsThatComeTogetherAreOneBatch() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...60)
                try await bench.withPushSender { sender, log in
                    var requests: [PushRequest] = []
                    for number in 1...60 {
                        requests.append(try await bench.pushRequest([number], collapseID: "order-\(number)"))
                    }
                    let answers = try await Self.sendAll(requests, sender)
                    #expect(answers.allSatisfy { $0.receipt != nil })
                    let taken = log.sizes
                    #expect(taken.reduce(0, +) == 60)
                    // The first goes at once; those that come meanwhile share the next.
                    #expect(taken.count <= 10)
                    await log.waitForEnds(taken.count)
                }
                #expect((1...60).allSatisfy { bench.accepted($0) == 1 })
                try await Self.expectBalance(bench)
            }
        }

        private static func sendAll(_ requests: [PushRequest], _ sender: PushSender) async throws -> [PushSubmission] {
            try await withThrowingTaskGroup(of: (Int, PushSubmission).self) { group in
                for (place, request) in requests.enumerated() {
                    group.addTask { (place, try await sender.send(request)) }
                }
                var answers: [Int: PushSubmission] = [:]
                for try await (place, answer) in group { answers[place] = answer }
                return answers.sorted { $0.key < $1.key }.map(\.value)
            }
        }

        @Test func pushesToOneDeviceAreInSeparateBatches() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.withPushSender { sender, log in
                    let request = try await bench.pushRequest([1])
                    let answers = try await Self.sendAll([PushRequest](repeating: request, count: 5), sender)
                    let ids = Set(answers.compactMap { $0.receipt?.entries[0].id })
                    #expect(ids.count == 5)
                    await log.waitForEnds(5)
                    #expect(try await bench.pushBatches().count == 5)
                }
                #expect(bench.accepted(1) == 5)
                try await Self.expectBalance(bench)
            }
        }

        /// Faults that happen once, each with the outcome in the ledger and the number of times that the phone gets the
        /// push.
        private static let disturbances: [(fault: Fault, kind: OutcomeKind, accepted: Int)] = [
            (.goAway(.init(lastStream: .previousStream)), .accepted, 1),
            (.tooManyRequests, .accepted, 1),
            (.serviceUnavailable, .accepted, 1),
            (.expiredProviderToken, .accepted, 1),
            (.answer(.topicDisallowed), .rejected, 0),
            (.reset(.internalError, accepted: true), .unknown, 1),
            (.reset(.internalError, accepted: false), .unknown, 0),
            (.disconnect(accepted: true), .unknown, 1),
        ]

        @Test(arguments: disturbances.indices)
        func faultsAreRetriedOrReportedAndNoPushIsDuplicated(_ place: Int) async throws {
            let (fault, kind, accepted) = Self.disturbances[place]
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                bench.production.faults = Faults([
                    .init(fault, .first(1), for: .tokens([DispatcherFixture.token(1)]))
                ])
                try await bench.withPushSender { sender, log in
                    let receipt = try #require(try await sender.send(try await bench.pushRequest([1])).receipt)
                    await log.waitForEnds(1)
                    #expect(try await bench.outcomes(of: receipt)[1]?.kind == kind)
                    #expect(bench.accepted(1) == accepted)
                    // It is over with the disturbance.
                    let next = try #require(try await sender.send(try await bench.pushRequest([2])).receipt)
                    await log.waitForEnds(2)
                    #expect(try await bench.outcomes(of: next) == [2: Self.accepted])
                }
                try await Self.expectBalance(bench)
            }
        }

        @Test func nothingIsSentBeforeTheCommit() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.withPushSender { sender, log in
                    let request = try await bench.pushRequest([1])
                    try await bench.pool.withConnection { connection in
                        try await connection.execute("BEGIN")
                        try await connection.execute("LOCK TABLE push_recipients IN SHARE MODE")
                        async let answer = sender.send(request)
                        try await bench.untilSomeoneWaitsForALock()
                        #expect(bench.record.counts.requests == 0)
                        try await connection.execute("COMMIT")
                        #expect(try await answer.receipt != nil)
                    }
                    await log.waitForEnds(1)
                    #expect(bench.accepted(1) == 1)
                }
            }
        }

        @Test func pushesOfALostProcessAreUnknownAndNotResent() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                let devices = try await bench.pool.query("SELECT id FROM devices ORDER BY id")
                let lost = bench.stores.pushes(owner: ProcessID())
                let batch = PushBatch(
                    app: bench.app, environment: .production, messageNumber: try await lost.messageNumbers(1)[0],
                    messageKeyVersion: 1, recipients: try devices.map { try $0[0] },
                    outcomes: [OutcomeCode.pending, OutcomeCode.suppressedDenied, OutcomeCode.pending])
                let ids = try await lost.insert([batch], keeping: [], lease: .milliseconds(1))
                // Holders get a lease's time after a start of PostgreSQL, which was just now: a short one.
                try await bench.withPushSender(DispatcherFixture.hastyOptions) { _, log in
                    await log.waitForAbandoned()
                }
                let receipt = PushReceipt(
                    id: PushRequestID([.init(messageNumber: batch.messageNumber, first: 0, count: 3)]), entries: [])
                #expect(
                    try await bench.outcomes(of: receipt) == [
                        1: .of(.unknown, "worker lost"), 2: .of(.suppressed, "notifications denied"),
                        3: .of(.unknown, "worker lost"),
                    ])
                #expect(bench.record.counts.requests == 0)
                // A process that comes back too late stores nothing.
                var ledger = Ledger()
                ledger[.accepted] = 3
                let id = try #require(ids[batch.messageNumber])
                let update = PushBatchUpdate(batch: id, outcomes: [1, 1, 1], ledger: ledger)
                #expect(try await lost.store([update], lease: .seconds(1)).isEmpty)
                try await Self.expectBalance(bench)
            }
        }

        @Test func leasesAreRenewedWhileApplesAnswerIsAwaited() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                // Answers 500 for a while: the batch is held for longer than a lease.
                bench.production.faults = Faults([.init(.internalServerError)])
                var options = DispatcherFixture.hastyOptions
                options.lease = .seconds(6)
                options.renewal = .milliseconds(200)
                options.margin = .milliseconds(100)
                options.retryDelays = [.milliseconds(200)]
                try await bench.withPushSender(options) { sender, log in
                    let receipt = try #require(try await sender.send(bench.pushRequest([1])).receipt)
                    let began = MonotonicTime.now()
                    while .now() - began < options.lease * 1.5 {
                        let rows = try await bench.pool.query(
                            "SELECT lease_until > now() FROM batches WHERE run_id IS NULL AND state = 'leased'")
                        #expect(try rows.count == 1 && rows[0][0])
                        try await bench.pool.loop.sleep(for: .milliseconds(200))
                    }
                    bench.production.faults = Faults([])
                    await log.waitForEnds(1)
                    #expect(try await bench.outcomes(of: receipt) == [1: Self.accepted])
                }
            }
        }

        @Test func retriesEndWithApplesReasonOrExpire() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.addDevices(2...2, .development)
                bench.production.faults = Faults([.init(.tooManyRequests)])
                bench.sandbox.faults = Faults([.init(.reset(.refusedStream, accepted: false))])
                var options = DispatcherFixture.options
                options.retryDelays = [.milliseconds(500), .seconds(5)]
                try await bench.withPushSender(options) { sender, log in
                    // Now or never: five seconds.
                    let receipt = try #require(try await sender.send(bench.pushRequest([1, 2], expiration: 0)).receipt)
                    await log.waitForEnds(2)
                    #expect(
                        try await bench.outcomes(of: receipt) == [
                            1: .of(.rejected, "TooManyRequests"), 2: .of(.expired, "REFUSED_STREAM"),
                        ])
                }
                #expect(bench.accepted(1) == 0 && bench.accepted(2) == 0)
                try await Self.expectBalance(bench)
            }
        }

        /// An answer about the account is no outcome of one device: all expire, and say why.
        @Test(arguments: [
            (Fault.answer(.tooManyProviderTokenUpdates), "TooManyProviderTokenUpdates"),
            (.expiredProviderToken, "ExpiredProviderToken"),
        ])
        func pushesExpireWithApplesAnswerToAll(_ fault: Fault, _ reason: String) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20)
                bench.production.faults = Faults([.init(fault)])
                var options = DispatcherFixture.options
                options.retryDelays = [.milliseconds(100), .seconds(10)]
                try await bench.withPushSender(options) { sender, log in
                    // Now or never: five seconds.
                    let request = try await bench.pushRequest(Array(1...20), expiration: 0)
                    let receipt = try #require(try await sender.send(request).receipt)
                    await log.waitForEnds(1)
                    let outcomes = try await bench.outcomes(of: receipt)
                    #expect(outcomes.count == 20 && outcomes.values.allSatisfy { $0 == .of(.expired, reason) })
                }
                try await Self.expectBalance(bench)
            }
        }

        @Test func shutdownFinishesSentPushesAndCancelsWaitingOnes() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.addDevices(2...2, .development)
                bench.sandbox.faults = Faults([.init(.reset(.refusedStream, accepted: false))])
                var options = DispatcherFixture.options
                options.retryDelays = [.seconds(30)]
                var receipt: PushReceipt?
                try await bench.withPushSender(options) { sender, log in
                    receipt = try await sender.send(bench.pushRequest([1, 2])).receipt
                }
                #expect(
                    try await bench.outcomes(of: try #require(receipt)) == [1: Self.accepted, 2: .of(.cancelled)])
                #expect(try await bench.pushBatches().open == 0)
            }
        }

        @Test func unregisteredDevicesAreRetired() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.pool.execute("UPDATE devices SET token_registered_at = now() - interval '1 day'")
                bench.production.faults = Faults([
                    .init(.answer(.unregistered(since: Timestamp.now.microseconds / 1_000)))
                ])
                try await bench.withPushSender { sender, log in
                    let receipt = try #require(try await sender.send(bench.pushRequest([1])).receipt)
                    await log.waitForEnds(1)
                    #expect(try await bench.outcomes(of: receipt) == [1: .of(.rejected, "Unregistered")])
                }
                let retired = try await bench.pool.query("SELECT FROM devices WHERE retired_reason = 1")
                #expect(retired.count == 1)
            }
        }

        // MARK: Idempotency

        @Test func keyIsExecutedOnceByConcurrentProcesses() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.withPushSender { first, _ in
                    try await bench.withPushSender { second, log in
                        let request = try await bench.pushRequest([1], key: "order-7")
                        let other = try await bench.pushRequest([1], key: "order-7", body: [2])
                        async let one = Self.sendAll([request, request], first)
                        async let two = Self.sendAll([request, request, request], second)
                        let answers = try await one + two
                        #expect(Set(answers.compactMap(\.receipt)).count == 1)
                        #expect(answers.count { if case .accepted = $0 { true } else { false } } == 1)
                        #expect(try await second.send(other) == .keyInUse)
                        #expect(try await second.send(request) == .alreadyAccepted(try #require(answers[0].receipt)))
                        // In one group: the same, and another body.
                        let fresh = try await bench.pushRequest([1], key: "order-8")
                        let alike = try await bench.pushRequest([1], key: "order-8", body: [2])
                        let mixed = try await Self.sendAll([fresh, fresh, alike], first)
                        #expect(mixed.count { $0.receipt != nil } + mixed.count { $0 == .keyInUse } == 3)
                        #expect(Set(mixed.compactMap(\.receipt)).count == 1)
                    }
                }
                #expect(bench.accepted(1) == 2)
                #expect(try await bench.pushBatches().count == 2)
            }
        }

        @Test func keysExpireAfterADay() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.withPushSender { sender, _ in
                    _ = try await sender.send(bench.pushRequest([1], key: "old"))
                    _ = try await sender.send(bench.pushRequest([1], key: "young"))
                    try await bench.pool.execute(
                        "UPDATE push_keys SET created_at = now() - interval '25 hours' WHERE key = 'old'")
                    try await bench.until { try await bench.pool.query("SELECT FROM push_keys").count == 1 }
                    let left = try await bench.pool.query("SELECT key FROM push_keys")
                    #expect(try left[0][0, as: String.self] == "young")
                }
            }
        }

        @Test func deletedAppDeletesItsPushes() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.withPushSender { sender, log in
                    let request = try await bench.pushRequest([1], key: "k")
                    _ = try await sender.send(request)
                    await log.waitForEnds(1)
                    try await bench.stores.apps.delete(bench.app)
                    #expect(try await sender.send(request) == .noSuchApp)
                }
                let left = try await bench.pool.query(
                    """
                    SELECT (SELECT count(*) FROM batches), (SELECT count(*) FROM push_recipients),
                        (SELECT count(*) FROM push_keys)
                    """)
                #expect(try (0..<3).allSatisfy { try left[0][$0, as: Int.self] == 0 })
            }
        }
    }
}

extension OutcomeReason {
    static func of(_ kind: OutcomeKind, _ reason: String = "") -> OutcomeReason {
        OutcomeReason(kind: kind, reason: reason)
    }
}

extension DispatcherFixture {
    /// Asks until a transaction of this database waits for a lock.
    func untilSomeoneWaitsForALock() async throws {
        while true {
            let rows = try await pool.query(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)
            if try rows[0][0, as: Int.self] > 0 { return }
        }
    }
}
