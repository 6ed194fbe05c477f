import Foundation
import OpenMetrics
import Testing

@testable import Belfry

extension BelfrySuite {
    /// Docs/monitoring/metrics.md lists all metrics.
    struct DocumentedMetricsTests {
        private static let sections = [
            ("Sending", MetricFamilies.sending), ("Work of all processes", MetricFamilies.backlog),
            ("Apple", MetricFamilies.apns), ("Web server", MetricFamilies.http),
            ("Webhooks", MetricFamilies.webhooks),
            ("Requests that are stored together", MetricFamilies.groups), ("Events of phones", MetricFamilies.events),
            ("Sessions of PostgreSQL", MetricFamilies.postgres), ("Database", MetricFamilies.database),
            ("Process", MetricFamilies.process),
        ]

        @Test func documentListsAllMetrics() throws {
            #expect(Self.sections.reduce(0) { $0 + $1.1.count } == MetricFamilies.all.count)
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Docs/monitoring/metrics.md").standardized
            if ProcessInfo.processInfo.environment["BELFRY_WRITE_DOCUMENTS"] != nil {
                try Data(Self.document.utf8).write(to: file)
            }
            #expect(
                try String(contentsOf: file, encoding: .utf8) == Self.document,
                "BELFRY_WRITE_DOCUMENTS=1 with this test writes Docs/monitoring/metrics.md anew.")
        }

        @Test func namesFollowTheConventionsOfPrometheus() {
            for family in MetricFamilies.all {
                #expect(family.unit.map { family.name.hasSuffix("_\($0)") } ?? true, "\(family.name)")
                #expect(!family.name.hasSuffix("_total") && family.help.hasSuffix("."), "\(family.name)")
            }
            #expect(Set(MetricFamilies.all.map(\.name)).count == MetricFamilies.all.count)
        }

        private static var document: String {
            var lines = [
                "# Metrics", "",
                "A test writes this page from the program. [monitoring.md](../monitoring.md) says how to collect them, and which",
                "to watch. Counters and histograms begin with 0 when the process starts. Labels are in braces.",
            ]
            for (title, families) in sections {
                lines += ["", "## \(title)", "", "| metric | type | meaning |", "|---|---|---|"]
                for family in families {
                    let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
                    let (name, type) = named(family)
                    let kind = type + (labels.isEmpty ? "" : " {\(labels)}")
                    lines.append("| `\(name)` | \(kind) | \(family.help) |")
                }
            }
            return lines.joined(separator: "\n") + "\n"
        }

        /// As Prometheus stores it.
        private static func named(_ family: MetricFamily) -> (name: String, type: String) {
            switch family.kind {
            case .counter: (family.name + "_total", "counter")
            case .gauge: (family.name, "gauge")
            case .histogram: (family.name, "histogram")
            case .info: (family.name + "_info", "info")
            }
        }
    }
}
