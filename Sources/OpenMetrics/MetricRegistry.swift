public import CoreMetrics
import EventLoop

/// The metrics of a process, behind swift-metrics, and their text for Prometheus.
///
/// Only declared families are kept: a library that counts something of its own changes nothing here. A series appears
/// when it is made, with 0, so that a rule can tell "none" from "not known".
public final class MetricRegistry: Sendable {
    /// Values that are read when somebody asks, because counting them as they change would cost more.
    public typealias Collector = @Sendable () async -> [MetricSample]

    enum Series {
        case number(NumberSeries)
        case histogram(HistogramSeries)
    }

    /// By the values of the family's labels, in its order.
    private struct State {
        var series: [String: [[String]: Series]] = [:]
        var collectors: [Collector] = []
    }

    /// In the order of their names.
    let families: [MetricFamily]
    private let byName: [String: MetricFamily]
    private let state = Lock(State())

    public init(_ families: [MetricFamily]) {
        self.families = families.sorted { $0.name < $1.name }
        byName = Dictionary(families.map { ($0.name, $0) }) { first, _ in first }
    }

    public func add(_ collector: @escaping Collector) {
        state.withLock { $0.collectors.append(collector) }
    }

    /// All values now.
    public func text(_ format: MetricFormat) async -> String {
        let (series, collectors) = state.withLock { ($0.series, $0.collectors) }
        var collected: [String: [MetricSample]] = [:]
        for collector in collectors {
            for sample in await collector() where byName[sample.family] != nil {
                collected[sample.family, default: []].append(sample)
            }
        }
        var text = OpenMetricsText(format)
        for family in families {
            let own = (series[family.name] ?? [:]).sorted { $0.key.lexicographicallyPrecedes($1.key) }
            let read = collected[family.name] ?? []
            guard !own.isEmpty || !read.isEmpty else { continue }
            text.begin(family)
            for (values, each) in own {
                let labels = Array(zip(family.labels, values))
                switch each {
                case .number(let number): text.add(number.value, labels)
                case .histogram(let histogram): text.add(histogram.value, histogram.bounds, labels)
                }
            }
            for sample in read.prefix(MetricFamily.maximumSeries) { text.add(sample.value, sample.labels) }
        }
        return text.finish()
    }

    /// Nil if no such family is declared, if its labels are others, or if it has too many series.
    private func series(_ name: String, _ dimensions: [(String, String)], _ make: (MetricFamily) -> Series?) -> Series?
    {
        guard let family = byName[name], dimensions.count == family.labels.count else { return nil }
        var values: [String] = []
        for label in family.labels {
            guard let value = dimensions.first(where: { $0.0 == label })?.1 else { return nil }
            values.append(value)
        }
        return state.withLock { state in
            if let known = state.series[name]?[values] { return known }
            guard (state.series[name]?.count ?? 0) < MetricFamily.maximumSeries, let made = make(family) else {
                return nil
            }
            state.series[name, default: [:]][values] = made
            return made
        }
    }

    private func number(_ name: String, _ dimensions: [(String, String)], _ kind: MetricFamily.Kind) -> NumberSeries? {
        let found = series(name, dimensions) { $0.kind == kind ? .number(NumberSeries()) : nil }
        guard case .number(let number)? = found else { return nil }
        return number
    }

    private func histogram(_ name: String, _ dimensions: [(String, String)]) -> HistogramSeries? {
        let found = series(name, dimensions) { family in
            guard case .histogram(let bounds) = family.kind else { return nil }
            return .histogram(HistogramSeries(bounds))
        }
        guard case .histogram(let histogram)? = found else { return nil }
        return histogram
    }
}

/// One value that a collector has read.
public struct MetricSample: Sendable {
    /// The name of its family.
    public let family: String
    /// All labels of the family, in its order.
    public let labels: [(String, String)]
    public let value: Double

    public init(_ family: String, _ labels: [(String, String)], _ value: Double) {
        self.family = family
        self.labels = labels
        self.value = value
    }

    /// Of a family without labels.
    public init(_ family: String, _ value: Double) { self.init(family, [], value) }
}

extension MetricRegistry: MetricsFactory {
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        number(label, dimensions, .counter) ?? NOOPMetricsHandler.instance
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        number(label, dimensions, .counter) ?? NOOPMetricsHandler.instance
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        number(label, dimensions, .gauge) ?? NOOPMetricsHandler.instance
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { return histogram(label, dimensions) ?? NOOPMetricsHandler.instance }
        return number(label, dimensions, .gauge) ?? NOOPMetricsHandler.instance
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    // Series live as long as the process: a counter that disappears and comes back would count as a restart.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}
}
