import Campaigns
import Testing

@Suite struct ClockJumpTests {
    private static let start = 1_800_000_000.0

    /// Whether each reading is believed: seconds after the start by the clock, and by the machine.
    private static func beliefs(_ readings: [(clock: Double, machine: Int)]) -> [Bool] {
        var jump = ClockJump()
        return readings.map { jump.believes(start + $0.clock, at: .seconds(100 + $0.machine)) }
    }

    @Test func clockThatIsAheadForAMomentIsNotBelieved() {
        let readings = [(0.0, 0), (7_201, 1), (7_209, 9), (10, 10)]
        #expect(Self.beliefs(readings) == [true, false, false, true])
        // Another time, it waits again.
        #expect(Self.beliefs(readings + [(7_220, 20)]).last == false)
    }

    @Test func clockThatStaysAheadIsBelieved() {
        #expect(Self.beliefs([(0, 0), (7_201, 1), (7_211, 11), (7_212, 12)]) == [true, false, true, true])
    }

    @Test func clockThatGoesOnOrIsSetBackIsBelieved() {
        // A day later, half a minute off.
        #expect(Self.beliefs([(0, 0), (86_430, 86_400), (80_000, 86_401)]) == [true, true, true])
    }
}
