/// One metric with all of its series: what it measures, in which unit, and by which labels.
///
/// Names follow the conventions of Prometheus: `belfry_`, the thing, the unit in base units (seconds, bytes).
public struct MetricFamily: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// It only grows, from 0 at the start of the process. Its samples have the suffix `_total`.
        case counter
        /// It goes up and down.
        case gauge
        /// Observations in buckets, each with its upper bound, in ascending order. One without a bound is added.
        case histogram([Double])
        /// A constant 1 with its facts as labels. Its sample has the suffix `_info`.
        case info
    }

    /// Without a suffix, like `belfry_push_outcomes`.
    public let name: String
    public let kind: Kind
    /// The unit, with which `name` then ends; nil: a number of things.
    public let unit: String?
    /// One sentence.
    public let help: String
    /// The names of its labels. A series has each of them.
    public let labels: [String]

    /// Series of a family, enough for all routes with each class of status. Further ones are not kept: they would fill the
    /// memory of the process and of Prometheus.
    public static let maximumSeries = 2_000

    public init(_ name: String, _ kind: Kind, unit: String? = nil, help: String, labels: [String] = []) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
        self.labels = labels
    }

    /// Upper bounds in seconds for requests and statements, from half a millisecond to ten seconds.
    public static let latencies = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
}
