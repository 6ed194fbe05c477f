import APNSSimulator
import Notifications
import TestSupport
import Testing

@testable import APNS
@testable import EventLoop

/// The senders of one process, each with its own loop, share provider tokens and reasons.
@Suite(.timeLimit(.minutes(10)))
struct SeveralLoopsTests {
    @Test func clientsOnFourLoopsSendAtOnce() async throws {
        try await withFixture { fixture in
            let loops = try EventLoopGroup(count: 4, name: "sender")
            defer { loops.stop() }
            let reasons = ReasonTable()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, loop) in loops.loops.enumerated() {
                    let client = try APNSClient(
                        endpoint: fixture.server.endpoint(), tokens: fixture.tokens, reasons: reasons,
                        options: .short(), loop: loop, logger: .silent)
                    group.addTask(executorPreference: loop) {
                        for round in 0..<5 {
                            let first = (number * 5 + round) * 200
                            let window = try APNSFixture.window(first..<first + 200)
                            _ = await client.send(window)
                            #expect(window.acceptedCount == 200 && loop.isCurrent)
                        }
                        await client.shutDown()
                    }
                }
                try await group.waitForAll()
            }
            fixture.expectAcceptedOnce(0..<4_000)
        }
    }
}
