/// The smallest difference that two groups would show four times out of five (power 80 %), before the start.
public enum DetectableDifference {
    /// Φ⁻¹(0.8)
    private static let power = 0.841621
    private static let steps = 50

    /// Between two groups of the same kind, from what all people did.
    public static func between(_ a: Int, _ b: Int, all pooled: Sample, alpha: Double) -> Double? {
        switch pooled.kind {
        case .rate: ofRates(a, b, base: pooled.value, alpha: alpha)
        case .mean: pooled.responses > 0 ? ofMeans(a, b, deviation: pooled.deviation, alpha: alpha) : nil
        }
    }

    /// Of rates, above `base`. Nil if no rate is high enough: "cannot be measured".
    public static func ofRates(_ nA: Int, _ nB: Int, base: Double, alpha: Double) -> Double? {
        guard nA > 0, nB > 0, base > 0, base < 1 else { return nil }
        let (a, b, z) = (Double(nA), Double(nB), Normal.critical(alpha))
        var difference = (z + power) * (base * (1 - base) * (1 / a + 1 / b)).squareRoot()
        for _ in 0..<steps {
            let other = base + difference
            guard other < 1 else { return nil }
            let pooled = (a * base + b * other) / (a + b)
            difference =
                z * (pooled * (1 - pooled) * (1 / a + 1 / b)).squareRoot()
                + power * (base * (1 - base) / a + other * (1 - other) / b).squareRoot()
        }
        return base + difference < 1 ? difference : nil
    }

    /// Of means, with the standard deviation of one person's amount.
    public static func ofMeans(_ nA: Int, _ nB: Int, deviation: Double, alpha: Double) -> Double? {
        guard nA > 0, nB > 0 else { return nil }
        return (Normal.critical(alpha) + power) * deviation * (1 / Double(nA) + 1 / Double(nB)).squareRoot()
    }
}
