import APNS
import APNSSimulator
import Application
import Campaigns
import Crypto
import Dispatcher
import FoundationEssentials
import JSON
import Notifications
import Postgres
import Store
import Testing

extension DispatcherSuite {
    @Suite struct RejectionTests {
        private static func rule(_ fault: Fault, _ number: Int, _ condition: Faults.Condition = .always) -> Faults.Rule
        {
            .init(fault, condition, for: .tokens([DispatcherFixture.token(number)]))
        }

        @Test func unregisteredRetiresOnlyDevicesRegisteredBeforeApplesTimestamp() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...8)
                try await bench.pool.execute(
                    """
                    UPDATE devices SET token_registered_at = now() - interval '1 day'
                    WHERE installation IN ('1', '3', '4', '5')
                    """)
                // The app was opened before Apple's timestamp, or after it.
                try await bench.pool.execute(
                    """
                    UPDATE device_activity a
                    SET last_seen_at = now() - CASE d.installation WHEN '3' THEN interval '1 minute'
                        WHEN '4' THEN interval '2 hours' ELSE interval '1 day' END
                    FROM devices d
                    WHERE d.app_id = a.app_id AND d.id = a.device_id AND d.installation IN ('1', '3', '4', '5')
                    """)
                let anHourAgo = Date().addingTimeInterval(-3_600)
                for number in 1...4 {
                    bench.phones.unregister(token: DispatcherFixture.token(number), at: anHourAgo)
                }
                let expired = APNSRejection(
                    status: 410, reason: "ExpiredToken", timestamp: Int64(anHourAgo.timeIntervalSince1970 * 1_000))
                bench.production.faults = Faults([Self.rule(.answer(expired), 5), Self.rule(.answer(expired), 6)])
                let campaign = try await bench.campaign()

                try await bench.work()

                let deliveries = try await bench.deliveries()
                for number in 1...6 {
                    let reason = number < 5 ? "Unregistered" : "ExpiredToken"
                    #expect(deliveries[number] == .init(kind: .rejected, reason: reason, isResent: false))
                }
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 2)
                let rows = try await bench.pool.query(
                    """
                    SELECT installation, retired_reason FROM devices WHERE retired_at IS NOT NULL ORDER BY installation
                    """)
                #expect(try rows.map { try $0[0, as: String.self] } == ["1", "4", "5"])
                #expect(try rows.map { try $0[1, as: Int16.self] } == [1, 1, 2])
            }
        }

        @Test func rejectedTokenHasApplesReason() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...6)
                bench.production.faults = Faults([
                    Self.rule(.answer(.badDeviceToken), 2), Self.rule(.answer(.deviceTokenNotForTopic), 3),
                    Self.rule(.answer(APNSRejection(status: 400, reason: "NeverHeardOf")), 4),
                    Self.rule(.answerText(status: 400, body: "no JSON"), 5),
                ])
                let campaign = try await bench.campaign()

                try await bench.work()

                let deliveries = try await bench.deliveries()
                #expect(deliveries[2]?.reason == "BadDeviceToken")
                #expect(deliveries[3]?.reason == "DeviceTokenNotForTopic")
                #expect(deliveries[4] == .init(kind: .rejected, reason: "NeverHeardOf", isResent: false))
                #expect(deliveries[5]?.kind == .rejected)
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 2)
                // A token that production does not know is tried once in development, which does not know it either.
                #expect((2...5).map(bench.requests) == [2, 1, 1, 1])
                // Of the others not a word about the token's end: these devices stay.
                let retired = try await bench.pool.query(
                    "SELECT installation FROM devices WHERE retired_at IS NOT NULL")
                #expect(try retired.map { try $0[0, as: String.self] } == ["2"])
            }
        }

        @Test func knownReasonKeepsItsCodeAndNewReasonsGetNewCodes() async throws {
            try await DispatcherFixture.run { bench in
                let codes = bench.stores.outcomeCodes
                #expect(try await codes.add("BadDeviceToken")?.code == 21)
                let first = try await codes.add("First")
                #expect(try await codes.add("First") == first)
                #expect(try await codes.add("Second")?.code == first.map { $0.code + 1 })
                try await bench.pool.execute(
                    "INSERT INTO outcome_codes SELECT n, 'rejected', 'r' || n FROM generate_series(55, 119) AS n")
                #expect(try await codes.add("OneTooMany") == nil)
            }
        }

        @Test func concurrentNewReasonsEachGetACode() async throws {
            try await DispatcherFixture.run { bench in
                let codes = bench.stores.outcomeCodes
                try await withThrowingTaskGroup(of: (String, OutcomeCodeStore.Code?).self) { group in
                    for number in 1...8 {
                        let reason = "New\(number)"
                        group.addTask { (reason, try await codes.add(reason)) }
                    }
                    for try await (reason, code) in group { #expect(code?.reason == reason) }
                }
            }
        }

        @Test func pushWithoutExpirationIsRetriedOnlyWithinTheLease() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...4)
                bench.production.faults = Faults([
                    Self.rule(.serviceUnavailable, 1, .first(2)), Self.rule(.tooManyRequests, 2, .first(3)),
                    Self.rule(.tooManyRequests, 3), Self.rule(.internalServerError, 4),
                ])
                _ = try await bench.campaign { $0.expirationSeconds = 0 }

                try await bench.work()

                let deliveries = try await bench.deliveries()
                #expect(deliveries[1] == .init(kind: .accepted, reason: "", isResent: false))
                #expect(deliveries[2] == .init(kind: .accepted, reason: "", isResent: false))
                #expect(deliveries[3] == .init(kind: .rejected, reason: "TooManyRequests", isResent: false))
                #expect(deliveries[4] == .init(kind: .rejected, reason: "InternalServerError", isResent: false))
                // Once, and once more after each of the three delays.
                #expect([1, 2, 3, 4].map(bench.requests) == [3, 4, 4, 4])
                #expect(bench.log.count(where: \.isClaim) == 1)
            }
        }

        @Test func repeatedlyDeferredPushesAreDeliveredInALaterBatch() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...40)
                // Four tries in a lease: the first batch, and one or two later ones.
                bench.production.faults = Faults([
                    Self.rule(.serviceUnavailable, 7, .first(5)), Self.rule(.internalServerError, 9, .first(9)),
                    Self.rule(.tooManyRequests, 11, .first(6)),
                ])
                let campaign = try await bench.campaign()

                try await bench.work()

                let deliveries = try await bench.deliveries()
                #expect(deliveries.count == 40 && deliveries.values.allSatisfy { $0.kind == .accepted })
                #expect([7, 9, 11].map(bench.requests) == [6, 10, 7])
                let run = try await bench.run(of: campaign)
                #expect(run.targeted == 40 && run.ledger[.accepted] == 40 && run.isBalanced && run.verifiedAt != nil)
                let rows = try await bench.pool.query(
                    "SELECT size, deferred, retries, deferred_from IS NOT NULL FROM batches ORDER BY id")
                // One for the device that had too many, one for Apple's trouble, and that once more.
                #expect(try rows.map { try $0[0, as: Int.self] }.sorted() == [1, 1, 2, 40])
                #expect(try rows[0][1, as: Int.self] == 3)
                #expect(try rows.map { try $0[2, as: Int16.self] }.max() == 2)
            }
        }

        /// A fault for the first device, batches that may wait, and whether the other batches are done first.
        @Test(arguments: [
            (Fault.tooManyRequests, 512, true), (.tooManyRequests, 0, false),
            (.answer(.unrelatedKey), 512, false),
        ])
        func batchOfDeferredPushesLeavesItsPlaceToOthers(
            _ fault: Fault, _ maximumWaiting: Int, _ isLast: Bool
        ) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...6)
                // The client's own second attempt is refused, too.
                bench.production.faults = Faults([Self.rule(fault, 1, .first(fault == .tooManyRequests ? 1 : 4))])
                let campaign = try await bench.campaign()
                try await bench.plan(try await bench.startedRun(), size: 2)
                var options = DispatcherFixture.options
                options.maximumBatches = 1
                options.maximumWaitingBatches = maximumWaiting
                if isLast { options.retryDelays = [.seconds(4)] }

                try await bench.work(options) {
                    guard isLast else { return }
                    await bench.record.waitUntilAccepted(5)
                    // Its token is read again.
                    bench.phones.add(
                        token: DispatcherFixture.token(9), environment: .production, topic: DispatcherFixture.bundleID)
                    try await bench.pool.execute(
                        "UPDATE devices SET token = \(DispatcherFixture.token(9)) WHERE installation = '1'")
                }

                let first: Batch.ID = try await bench.pool.query("SELECT min(id) FROM batches")[0][0]
                let done = bench.log.events.compactMap { event -> Batch.ID? in
                    if case .batchDone(let batch) = event { batch } else { nil }
                }
                #expect(done.count == 3 && (isLast ? done.last : done.first) == first)
                #expect(bench.accepted(isLast ? 9 : 1) == 1)
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 6 && run.verifiedAt != nil)
            }
        }

        @Test func cancelEndsABatchThatWaits() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                bench.production.faults = Faults([Self.rule(.serviceUnavailable, 2)])
                let campaign = try await bench.campaign()
                var options = DispatcherFixture.options
                options.retryDelays = [.seconds(3_600)]

                try await bench.work(options) {
                    await bench.record.waitUntilAccepted(2)
                    _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                }

                #expect(try await bench.deliveries()[2] == .init(kind: .cancelled, reason: "", isResent: false))
                #expect(bench.requests(2) == 1)
            }
        }

        @Test func pushesDeferredPastTheExpirationExpire() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                bench.production.faults = Faults([Self.rule(.serviceUnavailable, 2)])
                let campaign = try await bench.campaign()
                try await bench.work {
                    await bench.record.waitUntilAccepted(2)
                    try await bench.pool.execute("UPDATE runs SET expires_at = now() + interval '1 second'")
                }
                #expect(try await bench.deliveries()[2] == .init(kind: .expired, reason: "", isResent: false))
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 2)
            }
        }

        @Test func refusedCredentialPausesAndNobodyIsLost() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1_500)
                bench.production.faults = Faults([.init(.answer(.invalidProviderToken))])
                let campaign = try await bench.campaign()

                try await bench.withWorker {
                    await bench.log.wait(for: \.isRelease)
                    let paused = try await bench.campaigns.find(campaign, app: bench.app)
                    #expect(paused.state == .paused)
                    #expect(paused.reason?.description.contains("InvalidProviderToken") == true)
                    let run = try await bench.run(of: campaign)
                    #expect(run.state == .paused && run.ledger[.pending] == 1_500)
                    bench.production.faults = .none
                    _ = try await bench.campaigns.resume(campaign, app: bench.app)
                    await bench.log.wait(for: \.isFinish)
                }

                #expect((1...1_500).allSatisfy { bench.accepted($0) == 1 })
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 1_500)
            }
        }

        /// Apple's word, and what tells the marketer what to do.
        private static let troubles = [
            (APNSRejection.expiredProviderToken, "clock of the PostgreSQL server"),
            (.missingProviderToken, "no proxy"),
            (.unrelatedKey, "Check the key ID, the team ID and the bundle ID"),
            (.invalidProviderToken, "not revoked"),
            (.topicDisallowed, "Check the app's bundle ID"),
            (.badTopic, "Check the app's bundle ID"),
            (APNSRejection(status: 403, reason: "BadEnvironmentKeyIdInToken"), "production environment"),
            (APNSRejection(status: 403, reason: "Forbidden"), "Check in the developer account"),
            // Apple may introduce reasons for it.
            (APNSRejection(status: 403, reason: "KeyIsResting"), "(KeyIsResting). Check in the developer account"),
        ]

        @Test(arguments: troubles)
        func persistentErrorPausesTheRunWithARemedy(_ refusal: APNSRejection, _ remedy: String) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...30)
                bench.production.faults = Faults([.init(.answer(refusal))])
                let campaign = try await bench.campaign()

                try await bench.withWorker {
                    await bench.log.wait { $0.contains(where: \.isRelease) || $0.contains(where: \.isDone) }
                    let paused = try await bench.run(of: campaign)
                    #expect(paused.state == .paused && paused.ledger[.pending] == 30)
                    let reason = try #require(paused.reason)
                    #expect(
                        reason.description.contains(refusal.reason) && reason.description.contains(remedy)
                            && reason.description.hasSuffix("then resume."))
                    bench.production.faults = .none
                    _ = try await bench.campaigns.resume(campaign, app: bench.app)
                    await bench.log.wait(for: \.isFinish)
                }

                #expect((1...30).allSatisfy { bench.accepted($0) == 1 })
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 30 && run.isBalanced && run.verifiedAt != nil)
            }
        }

        /// The client tries the credential with a few pushes, so the batch stops before each recipient was refused.
        @Test(arguments: [APNSRejection.expiredProviderToken, .unrelatedKey])
        func persistentErrorPausesAfterFewRequestsAndIsNamed(_ refusal: APNSRejection) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...400)
                bench.production.faults = Faults([.init(.answer(refusal))])
                let campaign = try await bench.campaign()
                try await bench.withWorker { await bench.log.wait(for: \.isRelease) }
                let run = try await bench.run(of: campaign)
                #expect(run.state == .paused && run.ledger[.pending] == 400)
                #expect(run.lastAnswer?.reason == refusal.reason)
                #expect(bench.record.counts.requests <= 2 * (DispatcherFixture.options.retryDelays.count + 1))
                let deliveries = try await bench.runs.deliveries(
                    run.id, app: bench.app, DeliveryFilter(), from: nil, limit: 400
                ).deliveries
                #expect(deliveries.count == 400)
                #expect(deliveries.allSatisfy { $0.lastAnswer?.reason == refusal.reason })
            }
        }

        @Test func temporaryErrorWithinTheLeaseStopsNothing() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...4)
                bench.production.faults = Faults([
                    Self.rule(.expiredProviderToken, 2, .first(4)), Self.rule(.answer(.unrelatedKey), 3, .first(4)),
                ])
                let campaign = try await bench.campaign()
                try await bench.withWorker {
                    await bench.log.wait { $0.contains(where: \.isRelease) || $0.contains(where: \.isFinish) }
                }
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 4)
                #expect(bench.log.count(where: \.isClaim) == 1)
            }
        }

        @Test func undecryptableCredentialPausesTheRunUntilItIsReplaced() async throws {
            try await DispatcherFixture.run(credential: false) { bench in
                try await bench.addDevices(1...20)
                let sealed = try await Self.addCredentialOfAnotherServer(to: bench)
                let campaign = try await bench.campaign()

                try await bench.withWorker {
                    await bench.log.wait(for: \.isRelease)
                    let paused = try await bench.run(of: campaign)
                    #expect(paused.state == .paused && paused.ledger[.pending] == 20)
                    #expect(paused.reason?.description.contains("sealing key") == true)
                    #expect(paused.reason?.description.contains("add it again") == true)
                    try await bench.credentials.delete(sealed.id, app: bench.app)
                    try await bench.addCredential(to: bench.app)
                    _ = try await bench.campaigns.resume(campaign, app: bench.app)
                    await bench.log.wait(for: \.isFinish)
                }

                #expect(try await bench.run(of: campaign).ledger[.accepted] == 20)
            }
        }

        @Test func runWithUndecryptableCredentialCanBeCancelled() async throws {
            try await DispatcherFixture.run(credential: false) { bench in
                try await bench.addDevices(1...20)
                _ = try await Self.addCredentialOfAnotherServer(to: bench)
                let campaign = try await bench.campaign()
                try await bench.withWorker {
                    await bench.log.wait(for: \.isRelease)
                    _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                #expect(try await bench.run(of: campaign).ledger[.cancelled] == 20)
            }
        }

        /// Sealed under another key.
        private static func addCredentialOfAnotherServer(to bench: DispatcherFixture) async throws -> Credential {
            let strange = CredentialStore(
                pool: bench.pool, sealingKeys: try SealingKeyRing(text: String(repeating: "ab", count: 32)))
            return try await strange.create(
                app: bench.app, keyID: .init(DispatcherFixture.keyID), teamID: .init(DispatcherFixture.teamID),
                key: bench.key, environments: [.production])
        }

        @Test(arguments: [[], [PushEnvironment.development]])
        func credentialRemovedDuringARunPausesItAndNobodyIsSkipped(
            _ others: Set<PushEnvironment>
        ) async throws {
            try await DispatcherFixture.run(credential: false) { bench in
                try await bench.addDevices(1...300)
                func add(_ key: String, _ environments: Set<PushEnvironment>) async throws -> Credential {
                    try await bench.credentials.create(
                        app: bench.app, keyID: KeyID(key), teamID: TeamID(DispatcherFixture.teamID), key: bench.key,
                        environments: environments)
                }
                let old = try await add(DispatcherFixture.keyID, [.production])
                if !others.isEmpty { _ = try await add("OTHER12345", others) }
                let campaign = try await bench.campaign()
                let run = try await bench.startedRun()
                try await bench.plan(run, size: 20)
                bench.production.faults = Faults([.init(.delay(by: .milliseconds(20)))])
                var options = DispatcherFixture.options
                options.maximumBatches = 1
                try await bench.withWorker(options) {
                    await bench.record.waitUntilAccepted(20)
                    try await bench.credentials.delete(old.id, app: bench.app)
                    try await bench.untilPaused(run)
                    let found = try await bench.runs.find(run, app: bench.app)
                    #expect(found.state == .paused)
                    #expect(found.reason?.description.hasSuffix("was removed. Add one, then resume.") == true)
                    _ = try await add(DispatcherFixture.keyID, [.production])
                    _ = try await bench.campaigns.resume(campaign, app: bench.app)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 300)
            }
        }

        @Test func replacementOfARejectedCredentialIsUsedImmediately() async throws {
            try await DispatcherFixture.run(credential: false) { bench in
                try await bench.addDevices(1...20)
                // The right names with the wrong key: a file was mixed up.
                let wrong = try await bench.credentials.create(
                    app: bench.app, keyID: .init(DispatcherFixture.keyID), teamID: .init(DispatcherFixture.teamID),
                    key: .generate(), environments: [.production])
                let campaign = try await bench.campaign()

                try await bench.withWorker {
                    await bench.log.wait(for: \.isRelease)
                    #expect(try await bench.campaigns.find(campaign, app: bench.app).state == .paused)
                    try await bench.credentials.delete(wrong.id, app: bench.app)
                    try await bench.addCredential(to: bench.app)
                    _ = try await bench.campaigns.resume(campaign, app: bench.app)
                    await bench.log.wait { $0.contains(where: \.isFinish) || $0.count(where: \.isRelease) > 1 }
                }

                #expect(try await bench.run(of: campaign).ledger[.accepted] == 20)
            }
        }

        /// Apple's answer is about the credential: the other devices wait, and single pushes probe.
        @Test func tooManyProviderTokenUpdatesSlowsTheCredentialDown() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...400)
                bench.production.faults = Faults([.init(.answer(.tooManyProviderTokenUpdates), .first(3))])
                var options = DispatcherFixture.options
                options.apns.shortestSlowdown = .milliseconds(100)
                options.apns.longestSlowdown = .milliseconds(200)
                let campaign = try await bench.campaign()
                try await bench.work(options)
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 400)
                #expect(bench.record.counts.requests == 403)
            }
        }
    }
}
