import EventLoop
import TestSupport
import Testing

@testable import PrivatePostgres

@Suite(.timeLimit(.minutes(1))) struct ChildProcessTests {
    /// Two callers may wait for the same server: one that stops it, and one that starts it.
    @Test func everyoneWhoWaitsLearnsHowItEnded() async throws {
        try await TestLoop.run { loop in
            let child = try ChildProcess.spawn(["sh", "-c", "exit 3"])
            #expect(await child.waitForExit(on: loop, within: .seconds(30)) == 3 << 8)
            #expect(child.exitStatus() == 3 << 8)
            #expect(await !child.succeeds(on: loop, within: .seconds(30)))
        }
    }
}
