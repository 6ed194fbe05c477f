import Campaigns
import Testing

@testable import Dispatcher

struct BatchSharesTests {
    private static let shares = BatchShares(maximumRuns: 4)

    /// `otherHeld` is the capacity that another run without ready batches takes.
    private static func shares(
        _ held: [Int], apps: [Int64] = [], rates: [Int?] = [], otherHeld: Int = 0, turn: Int = 0,
        of shares: BatchShares = Self.shares
    ) -> [Int] {
        let ready = held.indices.map {
            BatchShares.Candidate(
                app: App.ID(rawValue: $0 < apps.count ? apps[$0] : 1), held: held[$0],
                pushesPerSecond: $0 < rates.count ? rates[$0] : nil)
        }
        return shares.shares(
            of: ready,
            heldByApp: ready.reduce(into: [:]) {
                $0[$1.app, default: .init()].all += $1.held
                if $1.pushesPerSecond == nil { $0[$1.app, default: .init()].unlimited += $1.held }
            },
            freeCapacity: 8
                - ready.reduce(otherHeld) {
                    $0 + BatchShares.slotsUsed($1.held, pushesPerSecond: $1.pushesPerSecond)
                },
            runs: held.count { $0 > 0 } + (otherHeld > 0 ? 1 : 0),
            turn: turn)
    }

    @Test func singleRunGetsAllCapacity() {
        #expect(Self.shares([0]) == [8])
        #expect(Self.shares([3]) == [5])
        #expect(Self.shares([]) == [])
    }

    @Test func runsWithFewestBatchesComeFirst() {
        #expect(Self.shares([0, 0]) == [4, 4])
        #expect(Self.shares([6, 1]) == [0, 1])
        #expect(Self.shares([5, 0]) == [0, 3])
        #expect(Self.shares([2, 0, 0]) == [1, 3, 2] || Self.shares([2, 0, 0]) == [0, 3, 3])
    }

    @Test func appWithOneRunGetsAsMuchAsOneWithMany() {
        #expect(Self.shares([0, 0, 0, 0], apps: [1, 1, 1, 2]) == [2, 1, 1, 4])
        #expect(Self.shares([2, 2, 2, 0], apps: [1, 1, 1, 2]) == [0, 0, 0, 2])
        #expect(Self.shares([3, 0, 0], apps: [1, 1, 2]) == [0, 1, 4])
    }

    @Test func remainderRotatesByTurn() {
        #expect(Self.shares([0, 0, 0], turn: 0) == [3, 3, 2])
        #expect(Self.shares([0, 0, 0], turn: 1) == [2, 3, 3])
        #expect(Self.shares([0, 0, 0], turn: 2) == [3, 2, 3])
    }

    @Test func runsWithoutBatchesGetOneBeyondTheCapacityUpToALimit() {
        #expect(Self.shares([8, 0]) == [0, 1])
        #expect(Self.shares([8, 0, 0, 0, 0, 0]).reduce(0, +) == 3)
        #expect(Self.shares([0, 0], otherHeld: 20) == [1, 1])
        #expect(Self.shares([9, 1]) == [0, 0])
    }

    @Test func appWithManyRunsLeavesTheOthersTheirShare() {
        let many = BatchShares(maximumRuns: 32)
        let apps = [Int64](repeating: 1, count: 20) + [2]
        let first = Self.shares([Int](repeating: 0, count: 21), apps: apps, of: many)
        #expect(first[20] == 4)
        #expect(first.reduce(0, +) <= 9)
        // The other app came later: it has its share immediately, and the many get no more until it is used up.
        #expect(
            Self.shares([1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0], apps: [Int64](repeating: 1, count: 10) + [2], of: many)
                == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    }

    /// Those with a rate limit take their places for hours, but hardly use them.
    @Test func runIsNotKeptWaitingByRateLimitedRunsOfItsApp() {
        let many = BatchShares(maximumRuns: 32)
        let shares = Self.shares(
            [1, 1, 1, 1, 1, 0, 8], apps: [1, 1, 1, 1, 1, 1, 2], rates: [7, 7, 7, 7, 7, nil, nil], of: many)
        #expect(shares[5] == 1)
    }

    @Test func noRunGetsMoreThanItsRateLimitCanUse() {
        #expect(Self.shares([0, 0], rates: [2_400, nil]) == [4, 5])
        #expect(Self.shares([0, 0], rates: [7, nil]) == [2, 7])
        #expect(Self.shares([2], rates: [7]) == [0])
    }

    @Test func spareBatchesOfRateLimitedRunsTakeNoCapacity() {
        let slow = [Int?](repeating: 7, count: 4)
        #expect(Self.shares([1, 1, 1, 1], rates: slow) == [1, 1, 1, 1])
        #expect(Self.shares([2, 2, 2, 2, 0], rates: slow + [nil]) == [0, 0, 0, 0, 4])
    }
}
