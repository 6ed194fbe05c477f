import CoreMetrics
import EventLoop

/// A number that the process changes: the value of a counter or of a gauge.
final class NumberSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, Sendable {
    private let number = Lock(0.0)

    var value: Double { number.withLock { $0 } }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { number.withLock { $0 += amount } }
    func decrement(by amount: Double) { increment(by: -amount) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { number.withLock { $0 = value } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func reset() { set(0.0) }
}

/// Observations in buckets.
final class HistogramSeries: RecorderHandler, TimerHandler, Sendable {
    struct Distribution {
        /// Observations in each bucket, those beyond the last bound at the end. Not cumulative.
        var counts: [Int]
        var sum = 0.0
    }

    let bounds: [Double]
    private let distribution: Lock<Distribution>

    init(_ bounds: [Double]) {
        self.bounds = bounds
        distribution = Lock(Distribution(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    var value: Distribution { distribution.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        // A bucket contains its upper bound.
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        distribution.withLock { distribution in
            distribution.counts[index] += 1
            distribution.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) * 1e-9) }
}
