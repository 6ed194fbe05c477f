/// Writes metrics as text, in one of two formats.
struct OpenMetricsText {
    private let format: MetricFormat
    private var text = ""
    private var name = ""
    private var suffix = ""

    init(_ format: MetricFormat) {
        self.format = format
    }

    /// The lines about the family, before its samples.
    mutating func begin(_ family: MetricFamily) {
        name = family.name
        let type: String
        switch family.kind {
        case .counter: (type, suffix) = ("counter", "_total")
        case .gauge: (type, suffix) = ("gauge", "")
        case .histogram: (type, suffix) = ("histogram", "")
        case .info: (type, suffix) = ("info", "_info")
        }
        switch format {
        case .openMetrics:
            text += "# TYPE \(name) \(type)\n"
            if let unit = family.unit { text += "# UNIT \(name) \(unit)\n" }
            text += "# HELP \(name) \(Self.escaped(family.help))\n"
        case .text:
            // The names are those of the samples, and information is a gauge.
            text += "# HELP \(name)\(suffix) \(Self.escaped(family.help))\n"
            text += "# TYPE \(name)\(suffix) \(type == "info" ? "gauge" : type)\n"
        }
    }

    mutating func add(_ value: Double, _ labels: [(String, String)]) {
        line(suffix, labels, value)
    }

    mutating func add(_ distribution: HistogramSeries.Distribution, _ bounds: [Double], _ labels: [(String, String)]) {
        var count = 0
        for (index, own) in distribution.counts.enumerated() {
            count += own
            let bound = index < bounds.count ? Self.number(bounds[index]) : "+Inf"
            line("_bucket", labels + [("le", bound)], Double(count))
        }
        line("_count", labels, Double(count))
        line("_sum", labels, distribution.sum)
    }

    func finish() -> String { format == .openMetrics ? text + "# EOF\n" : text }

    private mutating func line(_ suffix: String, _ labels: [(String, String)], _ value: Double) {
        text += name + suffix
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return value.description
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
