import Testing

@testable import Store

/// The time that an early decision waits for.
@Suite struct UsualResponseTimeTests {
    @Test func fourOfFiveOpeningsHaveComeAtTheEndOfTheirStep() {
        // 80 of 100 by the end of the step that begins with half an hour.
        #expect(UsualResponseTime.seconds([(3_600, 20), (0, 50), (1_800, 30)]) == 3_600)
        #expect(UsualResponseTime.seconds([(0, 79), (300, 21)]) == 600)
    }

    @Test func fewOpeningsTellNothing() {
        #expect(UsualResponseTime.seconds([(0, 99)]) == nil)
        #expect(UsualResponseTime.seconds([]) == nil)
    }
}
