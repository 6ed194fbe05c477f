import Campaigns
import Testing

@testable import Campaigns

@Suite struct StripeSamplerTests {
    private static let settling = Duration.milliseconds(15)

    @Test(arguments: [(1, 1), (1, 2), (5, 1_028), (7, 100_000), (1, 3_000_000), (1 << 43, (1 << 43) + 5_000)])
    func allStripesTogetherAreTheWholeRangeOnce(_ first: Int64, _ last: Int64) {
        var walk = StripeSampler(first: first, last: last, seed: 12_345)
        var visited: [(after: Int64, through: Int64)] = []
        while let next = walk.next {
            visited.append(next)
            walk.record(StripeTally(ids: next.through - next.after), took: Self.settling)
        }
        visited.sort { $0.after < $1.after }
        #expect(walk.isComplete)
        #expect(visited.first?.after == first - 1 && visited.last?.through == last)
        #expect(zip(visited, visited.dropFirst()).allSatisfy { $0.through == $1.after })
        let widths = visited.map { $0.through - $0.after }
        #expect(widths.max()! - widths.min()! <= 1)
    }

    @Test func beginningIsSpreadOverTheRange() {
        var walk = StripeSampler(first: 1, last: 1_024 * 1_024, seed: 77)
        var places: [Int64] = []
        for _ in 0..<16 {
            places.append(walk.next!.after / (64 * 1_024))
            walk.record(StripeTally(), took: Self.settling)
        }
        #expect(Set(places).count == 16)
    }

    @Test func stripesGetAsWideAsTheTimeAllows() {
        var walk = StripeSampler(first: 1, last: 10_000_000, seed: 1)
        // A microsecond for an id.
        while let next = walk.next, walk.tallies.count < 5 {
            let ids = next.through - next.after
            walk.record(StripeTally(ids: ids), took: .microseconds(ids))
        }
        #expect(walk.tallies.allSatisfy { 9_000...21_000 ~= $0.ids })

        var fast = StripeSampler(first: 1, last: 10_000_000, seed: 1)
        while fast.next != nil { fast.record(StripeTally(), took: .milliseconds(1)) }
        #expect(fast.isComplete && fast.stripes == 1)
    }

    @Test func slowStripeIsSplitOrSkipped() {
        var walk = StripeSampler(first: 1, last: 1_000_000, seed: 1)
        let before = walk.stripes
        walk.recordTimeout()
        #expect(walk.stripes == before * StripeSampler.largestStep && walk.next != nil)
        walk.record(StripeTally(), took: Self.settling)
        walk.recordTimeout()
        #expect(walk.tallies.count == 1 && walk.stripes == before * StripeSampler.largestStep)
        while walk.next != nil { walk.record(StripeTally(), took: Self.settling) }
        #expect(!walk.isComplete)
    }

    @Test func estimateOfHalfIsTwiceWhatWasFound() {
        let tallies = [10, 20, 30, 40].map { StripeTally(ids: 100, devicesScanned: 90, matches: $0, reachable: 5) }
        let estimate = AudienceEstimate(tallies, stripes: 8, ids: 800, sampleSize: 10)
        #expect(
            estimate.matches == 200 && estimate.reachable == 40 && estimate.devicesScanned == 360 && !estimate.isExact)
        // 3.19 × 8 × √(166.7 / 4 × 1/2)
        #expect(estimate.marginOfError == 117)

        let exact = AudienceEstimate(tallies, stripes: 4, ids: 400, sampleSize: 10)
        #expect(exact.matches == 100 && exact.isExact && exact.marginOfError == nil)
        #expect(AudienceEstimate([], stripes: 0, ids: 0, sampleSize: 10).isExact)
        let lone = AudienceEstimate([tallies[0]], stripes: 8, ids: 800, sampleSize: 10)
        #expect(lone.matches == 80 && lone.marginOfError == nil && !lone.isExact)
        let none = AudienceEstimate(
            Array(repeating: StripeTally(ids: 100), count: 4), stripes: 8, ids: 800, sampleSize: 10)
        #expect(none.matches == 0 && none.marginOfError == 6)
    }

    @Test func sampleIsOfManyStripes() {
        let tallies = [[1, 2, 3], [], [11, 12], [21]].map { StripeTally(ids: 10, matches: $0.count, sample: $0) }
        #expect(AudienceEstimate(tallies, stripes: 9, ids: 90, sampleSize: 4).sample == [1, 2, 11, 21])
        #expect(AudienceEstimate(tallies, stripes: 9, ids: 90, sampleSize: 10).sample == [1, 2, 3, 11, 12, 21])
    }
}
