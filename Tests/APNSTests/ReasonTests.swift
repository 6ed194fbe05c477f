import APNSSimulator
import EventLoop
import Foundation
import Testing

@testable import APNS

@Suite(.timeLimit(.minutes(10)))
struct ReasonTests {
    @Test func everyReasonOfAppleIsTypedWithItsAction() async throws {
        try await withStand { stand in
            for (number, reason) in APNSReason.allCases.enumerated() {
                let refusal = AppleRefusal(status: 400, reason: reason.rawValue)
                stand.server.faults = Faults([.init(.answer(refusal))])
                let window = try Stand.window(number..<number + 1)
                try await stand.sendAll(window)

                let result = window.results[0]
                #expect(result.state == .answered && result.status == 400)
                #expect(ReasonTable.reason(result.reason) == reason)
                #expect(result.action == reason.action)
                #expect(stand.client.reasons.text(result.reason) == reason.rawValue)
            }
        }
    }

    /// What is of no use on this connection is tried once on a new one, and no more.
    @Test(arguments: [APNSReason.idleTimeout, .shutdown, .unrelatedKeyIDInToken])
    func trialsOnANewConnectionEnd(reason: APNSReason) async throws {
        try await withStand { stand in
            stand.server.faults = Faults([.init(.answer(AppleRefusal(status: 503, reason: reason.rawValue)))])
            let window = try Stand.window(0..<1)
            try await stand.sendAll(window)

            #expect(window.results[0].action == .reconnect)
            #expect(stand.server.record.counts.requests == 2)
            #expect(stand.server.record.counts.connects == 2)
        }
    }

    @Test(arguments: [(404, RejectionAction.fix), (410, .dropToken), (429, .retryDevice), (503, .retryLater)])
    func unknownReasonIsKeptWordForWord(status: Int, action: RejectionAction) async throws {
        try await withStand { stand in
            let reason = "Etwas Neues: Überlauf #7"
            stand.server.faults = Faults([.init(.answer(AppleRefusal(status: status, reason: reason)))])
            let window = try Stand.window(0..<1)
            try await stand.sendAll(window)

            let result = window.results[0]
            #expect(ReasonTable.reason(result.reason) == nil)
            #expect(stand.client.reasons.text(result.reason) == reason)
            #expect(result.action == action)
        }
    }

    @Test func bodyThatIsNotJSONLeavesTheStatusToDecide() async throws {
        try await withStand { stand in
            let page = String(repeating: "<html>", count: 4_000)
            stand.server.faults = Faults([.init(.answerText(status: 502, body: page))])
            let window = try Stand.window(0..<3)
            try await stand.sendAll(window)

            for place in 0..<3 {
                #expect(window.results[place].status == 502 && window.results[place].reason == 0)
                #expect(window.results[place].action == .retryLater)
            }
            #expect(stand.client.reasons.text(0) == "no reason given")
        }
    }

    @Test(arguments: [Faults.EnvironmentReason.documented, .observed])
    func bothSpellingsOfTheEnvironmentReasonMeanTheSame(spelling: Faults.EnvironmentReason) async throws {
        try await withStand({ $0.keys[0].environments = [.sandbox] }) { stand in
            var faults = Faults.none
            faults.environmentReason = spelling
            stand.server.faults = faults
            let window = try Stand.window(0..<1)
            try await stand.sendAll(window)

            #expect(ReasonTable.reason(window.results[0].reason) == .badEnvironmentKeyIDInToken)
            #expect(window.results[0].action == .stop)
        }
    }

    @Test func timeOfAnUnregisteredTokenIsRead() async throws {
        let devices = DeviceTable()
        for number in 0..<3 {
            devices.add(token: Stand.token(number), environment: .production, topic: Stand.bundleID)
        }
        devices.unregister(token: Stand.token(1), at: Date(timeIntervalSince1970: 1_690_000_000.25))
        try await withStand(devices: devices) { stand in
            let window = try Stand.window(0..<3)
            try await stand.sendAll(window)

            #expect(window.acceptedCount == 2)
            #expect(window.results[1].status == 410)
            #expect(window.results[1].timestamp == 1_690_000_000_250)
            #expect(ReasonTable.reason(window.results[1].reason) == .unregistered)
            #expect(window.results[1].action == .dropToken)
            #expect(window.results[0].timestamp == 0)
        }
    }
}
