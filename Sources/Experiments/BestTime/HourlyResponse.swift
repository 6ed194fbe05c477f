/// How an app's people respond by the hour of their own clocks: of the pushes that were due at an hour, how many there
/// were, and at which hour they were opened. Old ones count less, so the numbers are not whole.
///
/// An opening says little about a person without the sending: everybody who gets pushes at noon opens most at noon.
public struct HourlyResponse: Equatable, Sendable {
    public static let hours = 24
    /// Pushes at an hour from which its own responses are taken; with fewer, those of all hours.
    static let leastSent: Float = 500

    /// The pushes by the hour at which they were due, and for each of these hours the openings by their hour. In an array:
    /// with the vectors themselves inside, a release build crashed where a closure had captured the value (Swift 6.3.1).
    /// The lanes after the 24th are 0.
    private var rows: [SIMD32<Float>]

    public init() {
        rows = Array(repeating: SIMD32<Float>(), count: 1 + Self.hours)
    }

    public init(sent: SIMD32<Float>, opened: [SIMD32<Float>]) {
        rows = [sent] + opened
    }

    /// By the hour at which they were due.
    public var sent: SIMD32<Float> { rows[0] }
    /// By the hour at which they were due; in each, by that at which they were opened.
    public var opened: ArraySlice<SIMD32<Float>> { rows[1...] }

    private func opened(due hour: Int) -> SIMD32<Float> { rows[1 + hour] }

    /// Adds pushes that were due at the same hour. `opened`: at which hour they were opened; nil: they were not.
    public mutating func add(_ count: Float, due hour: Int, opened: Int?) {
        rows[0][hour] += count
        if let opened { rows[1 + hour][opened] += count }
    }

    public static func += (sum: inout HourlyResponse, other: HourlyResponse) {
        for index in sum.rows.indices { sum.rows[index] += other.rows[index] }
    }

    public func scaled(by factor: Float) -> HourlyResponse {
        var scaled = self
        for index in rows.indices { scaled.rows[index] *= factor }
        return scaled
    }

    /// By the hour at which a push is due; in each, the part of pushes that is opened at an hour.
    public var rates: [SIMD32<Float>] {
        let usual = usualRates
        return (0..<Self.hours).map { due in
            if sent[due] >= Self.leastSent { return opened(due: due) / sent[due] }
            var row = SIMD32<Float>()
            for delay in 0..<Self.hours { row[(due + delay) % Self.hours] = usual[delay] }
            return row
        }
    }

    /// The part of all pushes that is opened so many hours after it was due.
    private var usualRates: SIMD32<Float> {
        let all = sent.sum()
        guard all > 0 else { return SIMD32<Float>() }
        var rates = SIMD32<Float>()
        for due in 0..<Self.hours {
            for delay in 0..<Self.hours { rates[delay] += opened(due: due)[(due + delay) % Self.hours] / all }
        }
        return rates
    }
}
