import Testing

@testable import Dispatcher

struct RunHealthTests {
    /// In turn: what came, and whether that was too much.
    private static func brakes(_ percent: Int?, _ answers: [(accepted: Int, rejected: Int)]) -> [Bool] {
        var health = RunHealth()
        return answers.map { answer in
            health.count(accepted: answer.accepted, rejected: [1: answer.rejected])
            return health.brakes(at: percent)
        }
    }

    @Test func brakeWaitsForEnoughAnswersAndStopsOnce() {
        let few = RunHealth.minimumAnswers - 1
        // Who resumes lets the rest go, whether or not this process has noticed the pause.
        #expect(Self.brakes(50, [(0, few), (0, 1), (0, 500)]) == [false, true, false])
        #expect(Self.brakes(nil, [(0, few), (0, 1), (0, 500)]) == [false, false, false])
    }

    @Test func brakeHoldsOnlyBeyondItsShare() {
        #expect(Self.brakes(50, [(50, 50), (0, 1)]) == [false, true])
    }
}
