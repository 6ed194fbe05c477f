import Glibc

/// An estimate of the audience's size from the visited stripes: all of them, or a sample spread over the range.
public struct AudienceEstimate: Equatable {
    public let matches: Int
    public let reachable: Int
    public let isExact: Bool
    /// The 95 % margin of error of `matches`; nil if the number is exact or only one stripe was counted.
    public let marginOfError: Int?
    public let devicesScanned: Int
    public let sample: [Int64]

    /// `stripes` of equal width make up `ids`.
    public init(_ tallies: [StripeTally], stripes: Int64, ids: Int64, sampleSize: Int) {
        devicesScanned = tallies.reduce(0) { $0 + $1.devicesScanned }
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

    /// From the variance between stripes: devices that registered together are similar, so the variance of single
    /// devices would be too optimistic. Without a match, the margin is three times the weight of one device.
    private static func margin(_ tallies: [StripeTally], stripes: Double, share: Double) -> Int? {
        guard tallies.count > 1 else { return nil }
        let count = Double(tallies.count)
        let mean = tallies.reduce(0) { $0 + Double($1.matches) } / count
        let squares = tallies.reduce(0) { $0 + (Double($1.matches) - mean) * (Double($1.matches) - mean) }
        let variance = squares / (count - 1) / count * (1 - count / stripes)
        let margin = studentFactor(tallies.count - 1) * stripes * max(0, variance).squareRoot()
        return Int(max(margin, 3 * share).rounded(.up))
    }

    /// Student's t for 95 % on both sides, by degrees of freedom; rounded up from the table.
    private static func studentFactor(_ freedom: Int) -> Double {
        let table = [12.71, 4.31, 3.19, 2.78, 2.58, 2.45, 2.37, 2.31, 2.27, 2.23]
        return freedom <= table.count ? table[freedom - 1] : 1.96 + 2.8 / Double(freedom)
    }

    /// Taken from each stripe in turn, so that the sample is not limited to devices of one day.
    private static func sample(_ tallies: [StripeTally], _ size: Int) -> [Int64] {
        var sample: [Int64] = []
        for index in 0..<size {
            for tally in tallies where index < tally.sample.count {
                sample.append(tally.sample[index])
                if sample.count == size { return sample.sorted() }
            }
        }
        return sample.sorted()
    }
}
