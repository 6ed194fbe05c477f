/// The time in which most responses to a push of an app come: before it, being ahead can also mean that a text is opened
/// sooner.
enum UsualResponseTime {
    /// The part of the responses that is waited for.
    private static let part = 0.8

    /// In seconds, from openings counted by `DelayStep`. Nil: there are too few.
    static func seconds(_ openings: [(step: Int32, count: Int)]) -> Int? {
        let all = openings.reduce(0) { $0 + $1.count }
        guard all >= least else { return nil }
        var counted = 0
        for (step, count) in openings.sorted(by: { $0.step < $1.step }) {
            counted += count
            guard Double(counted) >= part * Double(all) else { continue }
            return Int(DelayStep.lowest.first { $0 > step } ?? step)
        }
        return nil
    }

    private static let least = 100
}
