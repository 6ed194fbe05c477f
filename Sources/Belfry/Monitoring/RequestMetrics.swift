import EventLoop
import HTTPServer
import Metrics
import OpenMetrics

/// Counts requests. The series of a route is looked up once and then kept.
final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let route: String
        let method: String
        /// 2 for 2xx.
        let statusClass: Int
    }

    private struct Series {
        var durations: [Key: Timer] = [:]
        var responses: [Int: Counter] = [:]
    }

    private let registry: MetricRegistry
    private let series = Lock(Series())

    init(_ registry: MetricRegistry) {
        self.registry = registry
    }

    func count(_ record: AccessRecord) {
        let key = Key(route: record.route ?? "none", method: record.method, statusClass: record.status / 100)
        let (duration, response) = series.withLock { series in
            (timer(for: key, in: &series), counter(for: record.status, in: &series))
        }
        duration.record(duration: record.duration)
        response.increment()
    }

    private func timer(for key: Key, in series: inout Series) -> Timer {
        if let known = series.durations[key] { return known }
        let timer = Timer(
            label: "belfry_http_request_duration_seconds",
            // The class, so that the number of series stays small.
            dimensions: [("method", key.method), ("route", key.route), ("status", "\(key.statusClass)xx")],
            factory: registry)
        series.durations[key] = timer
        return timer
    }

    private func counter(for status: Int, in series: inout Series) -> Counter {
        if let known = series.responses[status] { return known }
        let counter = Counter(
            label: "belfry_http_responses", dimensions: [("status", "\(status)")], factory: registry)
        series.responses[status] = counter
        return counter
    }
}
