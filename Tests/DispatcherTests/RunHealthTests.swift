import APNS
import Testing

@testable import Dispatcher

struct RunHealthTests {
    /// Whether the threshold is exceeded after each of the windows.
    private static func exceeds(
        _ percent: Int?, _ answers: [(accepted: Int, rejected: Int)], in health: inout RunHealth
    ) -> [Bool] {
        answers.map { answer in
            health.count(accepted: answer.accepted, rejected: [1: answer.rejected])
            return health.exceeds(at: percent)
        }
    }

    private static func exceeds(_ percent: Int?, _ answers: [(accepted: Int, rejected: Int)]) -> [Bool] {
        var health = RunHealth()
        return exceeds(percent, answers, in: &health)
    }

    @Test func thresholdNeedsEnoughAnswersAndAppliesUntilDisabled() {
        let few = RunHealth.minimumAnswers - 1
        var health = RunHealth()
        #expect(Self.exceeds(50, [(0, few), (0, 1), (0, 500)], in: &health) == [false, true, true])
        // After a resume the rest is sent, whether or not this process has noticed the pause.
        health.disableThreshold()
        #expect(Self.exceeds(50, [(0, 0), (0, 5_000)], in: &health) == [false, false])
        #expect(Self.exceeds(nil, [(0, few), (0, 1), (0, 500)]) == [false, false, false])
    }

    @Test func thresholdAppliesOnlyAboveItsShare() {
        #expect(Self.exceeds(50, [(50, 50), (0, 1)]) == [false, true])
    }

    @Test func hoursOfSuccessDoNotHideACollapse() {
        var health = RunHealth()
        for _ in 0..<5_000 { health.count(accepted: 1_000, rejected: [:]) }
        let windows = Self.exceeds(50, Array(repeating: (accepted: 0, rejected: 1_000), count: 6), in: &health)
        #expect(!windows[0] && windows[5])
        #expect(health.commonestReason == 1)
        #expect((51...100).contains(health.rejectionPercent))
    }

    @Test func shareBelowTheThresholdNeverExceedsIt() {
        let windows = Self.exceeds(50, Array(repeating: (accepted: 510, rejected: 490), count: 1_000))
        #expect(!windows.contains(true))
    }

    @Test func commonestReasonIsOfRecentAnswers() {
        var health = RunHealth()
        for _ in 0..<10 { health.count(accepted: 600, rejected: [1: 400]) }
        #expect(health.commonestReason == 1)
        for _ in 0..<10 { health.count(accepted: 600, rejected: [2: 400]) }
        #expect(health.commonestReason == 2)
    }

    @Test func mismatchesOfAllBatchesAreCountedTogether() {
        var health = RunHealth()
        #expect(health.allowsEnvironmentProbe)
        health.count(accepted: 0, rejected: [1: 10], mismatches: 10)
        #expect(health.allowsEnvironmentProbe)
        health.count(accepted: 0, rejected: [1: 1], mismatches: 1)
        #expect(!health.allowsEnvironmentProbe)
        // Eleven of fifty-five.
        health.count(accepted: 43, rejected: [:])
        #expect(!health.allowsEnvironmentProbe)
        health.count(accepted: 1, rejected: [:])
        #expect(health.allowsEnvironmentProbe)
    }
}
