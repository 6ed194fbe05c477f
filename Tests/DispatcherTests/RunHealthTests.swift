import APNS
import Testing

@testable import Dispatcher

struct RunHealthTests {
    /// In turn: what came, and whether that was too much.
    private static func brakes(
        _ percent: Int?, _ answers: [(accepted: Int, rejected: Int)], in health: inout RunHealth
    ) -> [Bool] {
        answers.map { answer in
            health.count(accepted: answer.accepted, rejected: [1: answer.rejected])
            return health.brakes(at: percent)
        }
    }

    private static func brakes(_ percent: Int?, _ answers: [(accepted: Int, rejected: Int)]) -> [Bool] {
        var health = RunHealth()
        return brakes(percent, answers, in: &health)
    }

    @Test func brakeWaitsForEnoughAnswersAndAsksUntilItIsReleased() {
        let few = RunHealth.minimumAnswers - 1
        var health = RunHealth()
        #expect(Self.brakes(50, [(0, few), (0, 1), (0, 500)], in: &health) == [false, true, true])
        // Who resumes lets the rest go, whether or not this process has noticed the pause.
        health.releaseBrake()
        #expect(Self.brakes(50, [(0, 0), (0, 5_000)], in: &health) == [false, false])
        #expect(Self.brakes(nil, [(0, few), (0, 1), (0, 500)]) == [false, false, false])
    }

    @Test func brakeHoldsOnlyBeyondItsShare() {
        #expect(Self.brakes(50, [(50, 50), (0, 1)]) == [false, true])
    }

    @Test func whatWentWellForHoursDoesNotHideACollapse() {
        var health = RunHealth()
        for _ in 0..<5_000 { health.count(accepted: 1_000, rejected: [:]) }
        let windows = Self.brakes(50, Array(repeating: (accepted: 0, rejected: 1_000), count: 6), in: &health)
        #expect(!windows[0] && windows[5])
        #expect(health.mainReason == 1)
        #expect((51...100).contains(health.rejectionPercent))
    }

    @Test func shareThatStaysBelowNeverBrakes() {
        let windows = Self.brakes(50, Array(repeating: (accepted: 510, rejected: 490), count: 1_000))
        #expect(!windows.contains(true))
    }

    @Test func mainReasonIsThatOfTheAnswersOfLate() {
        var health = RunHealth()
        for _ in 0..<10 { health.count(accepted: 600, rejected: [1: 400]) }
        #expect(health.mainReason == 1)
        for _ in 0..<10 { health.count(accepted: 600, rejected: [2: 400]) }
        #expect(health.mainReason == 2)
    }

    @Test func suspectsOfAllBatchesAreCountedTogether() {
        var health = RunHealth()
        #expect(health.doubtsTokens)
        health.count(accepted: 0, rejected: [1: 10], suspects: 10)
        #expect(health.doubtsTokens)
        health.count(accepted: 0, rejected: [1: 1], suspects: 1)
        #expect(!health.doubtsTokens)
        // Eleven of fifty-five.
        health.count(accepted: 43, rejected: [:])
        #expect(!health.doubtsTokens)
        health.count(accepted: 1, rejected: [:])
        #expect(health.doubtsTokens)
    }
}
