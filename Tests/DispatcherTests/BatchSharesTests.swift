import Testing

@testable import Dispatcher

struct BatchSharesTests {
    private static let shares = BatchShares(maximumRuns: 4)

    private static func shares(
        _ held: [Int], paces: [Int?] = [], elsewhere: Int = 0, turn: Int = 0
    ) -> [Int] {
        let ready = held.indices.map {
            BatchShares.Candidate(held: held[$0], pace: $0 < paces.count ? paces[$0] : nil)
        }
        return shares.shares(
            of: ready, room: 8 - ready.reduce(elsewhere) { $0 + BatchShares.charge($1.held, pace: $1.pace) },
            runs: held.count { $0 > 0 } + (elsewhere > 0 ? 1 : 0),
            turn: turn)
    }

    @Test func oneRunAloneGetsAllRoom() {
        #expect(Self.shares([0]) == [8])
        #expect(Self.shares([3]) == [5])
        #expect(Self.shares([]) == [])
    }

    @Test func roomGoesToWhoHoldsFewestUntilAllHoldTheSame() {
        #expect(Self.shares([0, 0]) == [4, 4])
        #expect(Self.shares([6, 1]) == [0, 1])
        #expect(Self.shares([5, 0]) == [0, 3])
        #expect(Self.shares([2, 0, 0]) == [1, 3, 2] || Self.shares([2, 0, 0]) == [0, 3, 3])
    }

    @Test func whatDoesNotDivideGoesInTurn() {
        #expect(Self.shares([0, 0, 0], turn: 0) == [3, 3, 2])
        #expect(Self.shares([0, 0, 0], turn: 1) == [2, 3, 3])
        #expect(Self.shares([0, 0, 0], turn: 2) == [3, 2, 3])
    }

    @Test func whoHasNoneGetsOneBeyondTheRoomButNotWithoutEnd() {
        #expect(Self.shares([8, 0]) == [0, 1])
        #expect(Self.shares([8, 0, 0, 0, 0, 0]).reduce(0, +) == 3)
        #expect(Self.shares([0, 0], elsewhere: 20) == [1, 1])
        #expect(Self.shares([9, 1]) == [0, 0])
    }

    @Test func noRunGetsMoreThanItsPaceCanUse() {
        #expect(Self.shares([0, 0], paces: [2_400, nil]) == [4, 5])
        #expect(Self.shares([0, 0], paces: [7, nil]) == [2, 7])
        #expect(Self.shares([2], paces: [7]) == [0])
    }

    @Test func spareBatchesOfSlowRunsTakeNoRoom() {
        let slow = [Int?](repeating: 7, count: 4)
        #expect(Self.shares([1, 1, 1, 1], paces: slow) == [1, 1, 1, 1])
        #expect(Self.shares([2, 2, 2, 2, 0], paces: slow + [nil]) == [0, 0, 0, 0, 4])
    }
}
