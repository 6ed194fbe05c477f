import EventLoop
import HTTP2
import Testing

@testable import APNSSimulator

@Suite(.timeLimit(.minutes(10)))
struct FaultTests {
    /// One push on a new connection, under one fault.
    private func push(
        under fault: Fault,
        _ check: @Sendable @escaping (TestSender.Answer, TestSender, SimulatorServer) async throws -> Void
    ) async throws {
        try await withSimulator { server, sender, authorization in
            server.faults = Faults([.init(fault)])
            try await sender.connect(to: server)
            try await check(await sender.push(.push(authorization)), sender, server)
        }
    }

    @Test(arguments: [
        Fault.internalServerError, .serviceUnavailable, .shutdown, .tooManyRequests,
        .answer(APNSRejection(status: 400, reason: "SomethingNew")),
    ])
    func injectedErrorIsReturnedAndPushIsNotAccepted(fault: Fault) async throws {
        guard case .answer(let refusal) = fault else { return }
        try await push(under: fault) { answer, _, server in
            #expect(answer.status == refusal.status)
            #expect(answer.body == #"{"reason":"\#(refusal.reason)"}"#)
            #expect(server.record.counts.accepted == 0)
            #expect(server.record.counts.faulted == 1)
        }
    }

    @Test func injectedBodyMayBePlainText() async throws {
        try await push(under: .answerText(status: 502, body: "<html>")) { answer, _, _ in
            #expect(answer.status == 502 && answer.body == "<html>")
        }
    }

    @Test(arguments: [true, false])
    func resetPushIsAcceptedOnlyIfTheFaultSaysSo(accepted: Bool) async throws {
        try await push(under: .reset(accepted ? .internalError : .refusedStream, accepted: accepted)) {
            answer, _, server in
            #expect(answer.reset == (accepted ? .internalError : .refusedStream))
            #expect(server.record.counts.accepted == (accepted ? 1 : 0))
        }
    }

    @Test func disconnectLosesTheAnswerOfAnAcceptedPush() async throws {
        try await push(under: .disconnect(accepted: true)) { answer, sender, server in
            #expect(answer.status == 0)
            #expect(await sender.end() == .closed)
            #expect(server.record.counts.accepted == 1)
        }
    }

    @Test func goAwayNamesTheLastStreamAndItsReason() async throws {
        try await push(under: .goAway(.init(reason: "IdleTimeout", isDouble: true))) { answer, sender, _ in
            #expect(answer.status == 200)
            let expected = TestSender.GoAway(lastStream: 1, code: .noError, debugData: #"{"reason":"IdleTimeout"}"#)
            #expect(await sender.goAways(2) == [expected, expected])
        }
    }

    @Test func goAwayMayExcludeThePush() async throws {
        try await push(under: .goAway(.init(lastStream: .previousStream))) { answer, sender, server in
            #expect(answer.reset == .refusedStream)
            #expect(await sender.goAways(1).first?.lastStream == 0)
            #expect(server.record.counts.accepted == 0)
        }
    }

    @Test func goAwayMayComeBeforeSettings() async throws {
        try await withSimulator { server, sender, _ in
            server.faults = Faults([.init(.goAwayBeforeSettings(reason: "Shutdown"), .first(1))])
            try await sender.connect(to: server)

            #expect(await sender.end() != nil)
            #expect(await sender.limits(0) == [])
        }
    }

    @Test func noAnswerLeavesTheStreamOpen() async throws {
        try await withSimulator { server, sender, authorization in
            server.faults = Faults([.init(.noAnswer(accepted: true), .nth(2))])
            try await sender.connect(to: server)
            _ = await sender.push(.push(authorization))
            await sender.send([.push(authorization)], from: 1)
            #expect(await sender.push(.push(authorization), number: 2).status == 200)

            #expect(server.record.counts.accepted == 3)
            #expect(server.record.counts.repeatedIDs == 2)
            #expect(server.record.counts.acceptedTwice == 1)
            #expect(server.record.acceptedTwice().map(\.accepted) == [3])
        }
    }

    @Test func expiredTokensLastForTheConnection() async throws {
        try await withSimulator { server, sender, authorization in
            server.faults = Faults([.init(.expiredTokenFromNowOn, .nth(1))])
            try await sender.connect(to: server)
            for number in 0..<2 {
                let answer = await sender.push(.push(authorization), number: number)
                #expect(answer.body == #"{"reason":"ExpiredProviderToken"}"#)
            }
            let other = TestSender(on: sender.loop)
            try await other.connect(to: server)
            #expect(await other.push(.push(authorization)).status == 200)
            await other.close()
        }
    }

    @Test func streamLimitChangesWhileRunning() async throws {
        try await withSimulator { server, sender, authorization in
            try await sender.connect(to: server)
            _ = await sender.push(.push(authorization))
            _ = await sender.limits(2)
            await server.inject(.streamLimit(3))
            #expect(await sender.limits(3).last == 3)

            await sender.send((1...50).map { _ in .push(authorization) }, from: 1)
            for number in 1...50 { #expect(await sender.answer(number).status == 200) }
            #expect(server.record.counts.concurrentStreams <= 3)
        }
    }

    @Test func delayIsAtLeastTheConfiguredTime() async throws {
        try await withSimulator { server, sender, authorization in
            server.faults = Faults([.init(.delay(by: .milliseconds(40), jitter: .milliseconds(5)))])
            try await sender.connect(to: server)
            let start = MonotonicTime.now()
            #expect(await sender.push(.push(authorization)).status == 200)
            #expect(MonotonicTime.now() - start >= .milliseconds(40))
        }
    }

    @Test func observedEnvironmentReasonIsConfigurable() async throws {
        try await withSimulator({ $0.keys[0].environments = [.sandbox] }) { server, sender, authorization in
            var faults = Faults.none
            faults.environmentReason = .observed
            server.faults = faults
            try await sender.connect(to: server)
            #expect(await sender.push(.push(authorization)).body == #"{"reason":"BadEnvironmentKeyInToken"}"#)
        }
    }
}
