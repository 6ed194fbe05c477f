import Campaigns
import EventLoop
import Store

/// Decides which reports of a run are sent to one progress stream. A value: it gets every report.
struct ProgressFeed {
    private var meter = RateMeter()
    private var last: RunReport?
    private var lastRate = 0

    /// The rate, in pushes sent per second, to send with this report; nil if the report has nothing new.
    ///
    /// While the numbers don't change, the falling rate is not sent until it is 0; that is sent once.
    mutating func rate(toSendWith report: RunReport, at time: MonotonicTime) -> Int? {
        let rate = max(0, meter.rate(done: report.run.sent, at: time))
        guard report != last || rate == 0 && lastRate > 0 else { return nil }
        last = report
        lastRate = rate
        return rate
    }
}

/// Measures the pushes per second during the last few seconds.
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
