import Glibc

/// A number for the whole out of stripes that were visited: all of them, or some that are spread over it.
public struct AudienceEstimate: Equatable {
    public let matches: Int
    public let reachable: Int
    public let isExact: Bool
    /// Of `matches`, either way, in 95 of 100 cases; nil where it is exact or one stripe is all there is.
    public let marginOfError: Int?
    public let looked: Int
    public let sample: [Int64]

    /// `stripes` of equal width make up `ids`.
    public init(_ tallies: [StripeTally], stripes: Int64, ids: Int64, sampleSize: Int) {
        looked = tallies.reduce(0) { $0 + $1.looked }
        sample = Self.sample(tallies, sampleSize)
        isExact = tallies.count == stripes
        let found = tallies.reduce(0) { $0 + $1.matches }
        let reached = tallies.reduce(0) { $0 + $1.reachable }
        guard !isExact else {
            (matches, reachable, marginOfError) = (found, reached, nil)
            return
        }
        let share = Double(ids) / Double(max(1, tallies.reduce(0) { $0 + $1.ids }))
        matches = Int((Double(found) * share).rounded())
        reachable = Int((Double(reached) * share).rounded())
        marginOfError = Self.margin(tallies, stripes: Double(stripes), share: share)
    }

    /// From the variance between the stripes: devices that registered together are alike, so single devices would
    /// promise too much. Where nobody was found, there may still be three times what one stands for.
    private static func margin(_ tallies: [StripeTally], stripes: Double, share: Double) -> Int? {
        guard tallies.count > 1 else { return nil }
        let count = Double(tallies.count)
        let mean = tallies.reduce(0) { $0 + Double($1.matches) } / count
        let squares = tallies.reduce(0) { $0 + (Double($1.matches) - mean) * (Double($1.matches) - mean) }
        let variance = squares / (count - 1) / count * (1 - count / stripes)
        let margin = studentFactor(tallies.count - 1) * stripes * max(0, variance).squareRoot()
        return Int(max(margin, 3 * share).rounded(.up))
    }

    /// Student's t for 95 % on both sides, by degrees of freedom; a little more than the table says.
    private static func studentFactor(_ freedom: Int) -> Double {
        let table = [12.71, 4.31, 3.19, 2.78, 2.58, 2.45, 2.37, 2.31, 2.27, 2.23]
        return freedom <= table.count ? table[freedom - 1] : 1.96 + 2.8 / Double(freedom)
    }

    /// One of each stripe in turn, so that it is not one day's newcomers.
    private static func sample(_ tallies: [StripeTally], _ size: Int) -> [Int64] {
        var sample: [Int64] = []
        for place in 0..<size {
            for tally in tallies where place < tally.sample.count {
                sample.append(tally.sample[place])
                if sample.count == size { return sample.sorted() }
            }
        }
        return sample.sorted()
    }
}
