import APNSSimulator
import EventLoop
import Foundation
import Testing

@testable import APNS

@Suite(.timeLimit(.minutes(10)))
struct ReasonTests {
    @Test func everyReasonOfAppleIsTypedWithItsAction() async throws {
        try await withFixture { fixture in
            for (number, reason) in APNSReason.allCases.enumerated() {
                let refusal = APNSRejection(status: 400, reason: reason.rawValue)
                fixture.server.faults = Faults([.init(.answer(refusal))])
                let window = try APNSFixture.window(number..<number + 1)
                try await fixture.sendAll(window)

                let result = window.results[0]
                #expect(result.state == .answered && result.status == 400)
                #expect(ReasonTable.reason(result.reason) == reason)
                #expect(result.action == reason.action)
                #expect(fixture.client.reasons.text(result.reason) == reason.rawValue)
            }
        }
    }

    /// A push that a connection can't deliver is retried once on a new one.
    @Test(arguments: [APNSReason.idleTimeout, .shutdown, .unrelatedKeyIDInToken])
    func retryOnANewConnectionHappensOnce(reason: APNSReason) async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([.init(.answer(APNSRejection(status: 503, reason: reason.rawValue)))])
            let window = try APNSFixture.window(0..<1)
            try await fixture.sendAll(window)

            #expect(window.results[0].action == .reconnect)
            #expect(fixture.server.record.counts.requests == 2)
            #expect(fixture.server.record.counts.connects == 2)
        }
    }

    @Test(arguments: [(404, RejectionAction.fixRequest), (410, .dropToken), (429, .retryDevice), (503, .retryLater)])
    func unknownReasonIsStoredVerbatim(status: Int, action: RejectionAction) async throws {
        try await withFixture { fixture in
            let reason = "Etwas Neues: Überlauf #7"
            fixture.server.faults = Faults([.init(.answer(APNSRejection(status: status, reason: reason)))])
            let window = try APNSFixture.window(0..<1)
            try await fixture.sendAll(window)

            let result = window.results[0]
            #expect(ReasonTable.reason(result.reason) == nil)
            #expect(fixture.client.reasons.text(result.reason) == reason)
            #expect(result.action == action)
        }
    }

    @Test func bodyThatIsNotJSONLeavesTheStatusToDecide() async throws {
        try await withFixture { fixture in
            let page = String(repeating: "<html>", count: 4_000)
            fixture.server.faults = Faults([.init(.answerText(status: 502, body: page))])
            let window = try APNSFixture.window(0..<3)
            try await fixture.sendAll(window)

            for index in 0..<3 {
                #expect(window.results[index].status == 502 && window.results[index].reason == 0)
                #expect(window.results[index].action == .retryLater)
            }
            #expect(fixture.client.reasons.text(0) == "no reason given")
        }
    }

    @Test(arguments: [Faults.EnvironmentReason.documented, .observed])
    func bothSpellingsOfTheEnvironmentReasonAreEqual(spelling: Faults.EnvironmentReason) async throws {
        try await withFixture({ $0.keys[0].environments = [.sandbox] }) { fixture in
            var faults = Faults.none
            faults.environmentReason = spelling
            fixture.server.faults = faults
            let window = try APNSFixture.window(0..<1)
            try await fixture.sendAll(window)

            #expect(ReasonTable.reason(window.results[0].reason) == .badEnvironmentKeyIDInToken)
            #expect(window.results[0].action == .stop)
        }
    }

    @Test func timeOfAnUnregisteredTokenIsRead() async throws {
        let devices = DeviceTable()
        for number in 0..<3 {
            devices.add(token: APNSFixture.token(number), environment: .production, topic: APNSFixture.bundleID)
        }
        devices.unregister(token: APNSFixture.token(1), at: Date(timeIntervalSince1970: 1_690_000_000.25))
        try await withFixture(devices: devices) { fixture in
            let window = try APNSFixture.window(0..<3)
            try await fixture.sendAll(window)

            #expect(window.acceptedCount == 2)
            #expect(window.results[1].status == 410)
            #expect(window.results[1].timestamp == 1_690_000_000_250)
            #expect(ReasonTable.reason(window.results[1].reason) == .unregistered)
            #expect(window.results[1].action == .dropToken)
            #expect(window.results[0].timestamp == 0)
        }
    }
}
