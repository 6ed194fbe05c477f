/// The formats in which Prometheus and others read metrics.
public enum MetricFormat: Sendable {
    /// OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec).
    case openMetrics
    /// Prometheus's text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats), for everything else.
    case text

    /// The format for a request with this header field `Accept`.
    public init(accept: String?) {
        self = accept?.contains("application/openmetrics-text") == true ? .openMetrics : .text
    }

    public var contentType: String {
        switch self {
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        }
    }
}
