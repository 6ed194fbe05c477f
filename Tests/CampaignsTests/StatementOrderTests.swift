import Testing

@testable import Campaigns

struct StatementOrderTests {
    private static let second: Int64 = 1_000_000
    private static let day = 24 * 60 * 60 * second
    private static let now: Int64 = 1_800_000_000 * second

    /// Seconds from now, by the clock of the device.
    private static func isOutdated(_ sentAt: Int64, after newest: Int64?) -> Bool {
        StatementOrder.isOutdated(
            Instant(microseconds: now + sentAt * second),
            after: newest.map { Instant(microseconds: now + $0 * second) },
            receivedAt: Instant(microseconds: now))
    }

    @Test func olderIsOutdatedAndEqualIsNot() {
        #expect(!Self.isOutdated(-10, after: nil))
        #expect(!Self.isOutdated(-10, after: -20))
        #expect(!Self.isOutdated(-10, after: -10))
        #expect(Self.isOutdated(-20, after: -10))
        #expect(Self.isOutdated(-400 * 86_400, after: -10))
    }

    /// A clock that is wrong, but advances, orders as well as a right one.
    @Test(arguments: [-90_000, -300, 300, 86_000, 900_000] as [Int64])
    func constantErrorOfTheClockDoesNotMatter(error: Int64) {
        #expect(Self.isOutdated(error - 20, after: error - 10) == (abs(error - 20) > 60 || error <= 70))
        #expect(Self.isOutdated(error - 600, after: error))
        #expect(!Self.isOutdated(error, after: error - 600))
    }

    @Test func clockThatWasAheadHoldsUpNothingOnceItIsRight() {
        #expect(!Self.isOutdated(0, after: 3_600))
        #expect(!Self.isOutdated(-59, after: 40_000))
        #expect(!Self.isOutdated(-59, after: 400 * 86_400))
        #expect(!Self.isOutdated(-3_000, after: 400 * 86_400))
        // A repeated request of the time when the clock was ahead.
        #expect(Self.isOutdated(399 * 86_400, after: 400 * 86_400))
        // Within a day, only a new request is believed.
        #expect(Self.isOutdated(-3_000, after: 40_000))
    }

    @Test func endsOfTimeDoNotOverflow() {
        let ends = [Int64.min, .max].map { Instant(microseconds: $0) }
        for sent in ends {
            for newest in ends { _ = StatementOrder.isOutdated(sent, after: newest, receivedAt: ends[0]) }
        }
    }
}
