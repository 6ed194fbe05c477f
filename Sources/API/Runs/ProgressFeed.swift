import Campaigns
import EventLoop
import Store

/// What one watcher of a run is told. A value: it is shown each report, and says which are worth sending.
struct ProgressFeed {
    private var meter = RateMeter()
    private var last: RunReport?
    private var lastRate = 0

    /// The rate, in recipients per second, to send with this report; nil when the watcher knows all of it.
    ///
    /// A rate falls for as long as nothing happens, and nobody is told of that; but the last word about numbers that
    /// have come to rest is that their rate is 0.
    mutating func rate(toSendWith report: RunReport, at time: MonotonicTime) -> Int? {
        let rate = max(0, meter.rate(done: report.run.targeted - report.run.ledger[.pending], at: time))
        guard report != last || rate == 0 && lastRate > 0 else { return nil }
        last = report
        lastRate = rate
        return rate
    }
}

/// Recipients per second, over the last few seconds.
struct RateMeter {
    static let window = Duration.seconds(3)

    private var samples: [(time: MonotonicTime, done: Int)] = []

    mutating func rate(done: Int, at time: MonotonicTime) -> Int {
        samples.append((time, done))
        while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
        let span = (time - samples[0].time).seconds
        return span > 0 ? Int(Double(done - samples[0].done) / span) : 0
    }
}
