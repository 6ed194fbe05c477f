import APNS
import APNSSimulator
import Campaigns
import Dispatcher
import HTTP2
import Postgres
import Store
import Testing

extension DispatcherSuite {
    /// Faults on the way, under both policies for recipients that may have been reached.
    @Suite struct DeliveryFaultTests {
        @Test(arguments: [UnknownPolicy.resend, .leave])
        func unansweredPushesEndAtTheDeadline(_ policy: UnknownPolicy) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...5)
                bench.production.faults = Faults([
                    .init(.noAnswer(accepted: true), .first(1), for: .tokens([DispatcherFixture.token(2)])),
                    .init(.noAnswer(accepted: false), .always, for: .tokens([DispatcherFixture.token(4)])),
                ])
                var options = DispatcherFixture.options
                options.apns.requestDeadline = .seconds(4)
                _ = try await bench.campaign(policy)

                try await bench.work(options)

                let deliveries = try await bench.deliveries()
                let unknown = OutcomeKind.unknown
                switch policy {
                case .resend:
                    #expect(deliveries[2] == .init(kind: .accepted, reason: "", isResent: true))
                    #expect(bench.accepted(2) == 2)
                    // Sent again once, and no more.
                    #expect(deliveries[4] == .init(kind: unknown, reason: "deadline passed", isResent: true))
                    #expect(bench.requests(4) == 2)
                case .leave:
                    #expect(deliveries[2] == .init(kind: unknown, reason: "deadline passed", isResent: false))
                    #expect(deliveries[4] == .init(kind: unknown, reason: "deadline passed", isResent: false))
                    #expect(bench.requests(2) == 1 && bench.requests(4) == 1)
                }
                for number in [1, 3, 5] {
                    #expect(deliveries[number] == .init(kind: .accepted, reason: "", isResent: false))
                }
            }
        }

        @Test func lateAnswerHoldsUpOnlyItsOwnPush() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...6)
                // Not the first push: until Apple has answered one, a connection carries no other.
                bench.production.faults = Faults([
                    .init(.delay(by: .seconds(4)), .always, for: .tokens([DispatcherFixture.token(2)]))
                ])
                let campaign = try await bench.campaign(.leave)
                try await bench.plan(try await bench.startedRun(), size: 2)
                var options = DispatcherFixture.options
                options.maximumBatches = 1

                try await bench.work(options)

                let first: Batch.ID = try await bench.pool.query("SELECT min(id) FROM batches")[0][0]
                let done = bench.log.events.compactMap { event -> Batch.ID? in
                    if case .batchDone(let batch) = event { batch } else { nil }
                }
                #expect(done.count == 3 && done.last == first)
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 6 && run.verifiedAt != nil && bench.requests(2) == 1)
            }
        }

        private static let slow = Fault.delay(by: .milliseconds(900))

        /// The batch has left its place, and has read only the deferred recipient when the late answers come.
        @Test(arguments: [
            ([.noAnswer(accepted: false)], true), ([slow, .serviceUnavailable], false),
            ([slow, .reset(.refusedStream, accepted: false)], false),
        ])
        func lateAnswersAreRetriedWhileADeferredPushIsOnTheWire(_ faults: [Fault], _ isResent: Bool) async throws {
            try await DispatcherFixture.run { bench in
                // One in twenty may be late, so these are late.
                try await bench.addDevices(1...200)
                let deferred = Faults.Scope.tokens([DispatcherFixture.token(2)])
                let late = (3...5).map { Faults.Scope.tokens([DispatcherFixture.token($0)]) }
                bench.production.faults = Faults(
                    [
                        .init(.delay(by: .milliseconds(400)), .first(6), for: deferred),
                        .init(.serviceUnavailable, .first(6), for: deferred),
                    ] + late.flatMap { token in faults.map { .init($0, .first(1), for: token) } })
                var options = DispatcherFixture.options
                options.retryDelays = Array(repeating: .milliseconds(10), count: 8)
                // Only what never gets an answer may reach it, also on a busy machine.
                options.apns.requestDeadline = isResent ? .seconds(1) : .seconds(4)
                _ = try await bench.campaign(.resend)

                try await bench.work(options)

                let deliveries = try await bench.deliveries()
                for number in 3...5 {
                    #expect(deliveries[number] == .init(kind: .accepted, reason: "", isResent: isResent))
                    #expect(bench.requests(number) == 2)
                }
                #expect(deliveries.values.allSatisfy { $0.kind == .accepted })
            }
        }

        @Test func endOfARunWaitsForLateAnswers() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                bench.production.faults = Faults([
                    .init(.delay(by: .seconds(1)), .always, for: .tokens([DispatcherFixture.token(2)]))
                ])
                let campaign = try await bench.campaign(.leave)
                try await bench.work {
                    await bench.record.waitUntilAccepted(2)
                    _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                }
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 3)
            }
        }

        @Test(arguments: [UnknownPolicy.resend, .leave])
        func resetStreamMayHaveBeenAccepted(_ policy: UnknownPolicy) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...4)
                bench.production.faults = Faults([
                    .init(
                        .reset(.internalError, accepted: true), .first(1), for: .tokens([DispatcherFixture.token(2)])),
                    .init(
                        .reset(.refusedStream, accepted: false), .first(1), for: .tokens([DispatcherFixture.token(3)])),
                ])
                _ = try await bench.campaign(policy)

                try await bench.work()

                let deliveries = try await bench.deliveries()
                #expect(
                    deliveries[2]
                        == (policy == .resend
                            ? .init(kind: .accepted, reason: "", isResent: true)
                            : .init(kind: .unknown, reason: "stream reset", isResent: false)))
                #expect(bench.accepted(2) == (policy == .resend ? 2 : 1))
                // REFUSED_STREAM says that nothing was processed.
                #expect(deliveries[3] == .init(kind: .accepted, reason: "", isResent: false))
                #expect(bench.accepted(3) == 1)
            }
        }

        @Test(arguments: [UnknownPolicy.resend, .leave])
        func connectionLossDuringAWindowMarksEveryResend(_ policy: UnknownPolicy) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3_000)
                // Answers take a little, so that many are on the wire when it is cut.
                bench.production.faults = Faults([
                    .init(.delay(by: .milliseconds(30))), .init(.disconnect(accepted: true), .nth(700)),
                    .init(.disconnect(accepted: false), .nth(1_900)),
                ])
                let campaign = try await bench.campaign(policy)

                try await bench.work()

                let run = try await bench.run(of: campaign)
                let deliveries = try await bench.deliveries()
                var twice = 0
                for number in 1...3_000 {
                    let delivery = try #require(deliveries[number])
                    let accepted = bench.accepted(number)
                    if accepted > 1 { twice += 1 }
                    switch (delivery.kind, delivery.isResent) {
                    case (.accepted, false): #expect(accepted == 1)
                    case (.accepted, true): #expect(accepted == 1 || accepted == 2)
                    case (.unknown, let isResent): #expect(accepted <= (isResent ? 2 : 1))
                    default: Issue.record("\(number) is \(delivery)")
                    }
                }
                switch policy {
                case .resend:
                    #expect(run.ledger.resent > 0 && twice > 0)
                    #expect(run.ledger[.accepted] + run.ledger[.unknown] == 3_000)
                case .leave:
                    #expect(run.ledger[.unknown] > 0 && run.ledger.resent == 0 && twice == 0)
                }
            }
        }

        @Test func pushesAboveAGoAwayAreSentOnAnotherConnection() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2_500)
                bench.production.faults = Faults([
                    .init(.goAway(.init(lastStream: .previousStream)), .nth(300)),
                    .init(.goAway(.init(lastStream: .thisStream, isDouble: true)), .nth(1_500)),
                ])
                let campaign = try await bench.campaign(.leave)

                try await bench.work()

                #expect(try await bench.run(of: campaign).ledger[.accepted] == 2_500)
                #expect((1...2_500).filter { bench.accepted($0) != 1 }.isEmpty)
            }
        }

        @Test func pushesWaitWhileAppleIsUnreachable() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...50)
                bench.production.faults = Faults([.init(.refuseConnection, .first(4))])
                let campaign = try await bench.campaign(.leave)

                try await bench.work()

                #expect(try await bench.run(of: campaign).ledger[.accepted] == 50)
                #expect(bench.record.counts.accepted == 50)
            }
        }
    }
}
