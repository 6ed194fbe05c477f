import Metrics
import Testing

@testable import OpenMetrics

@Suite struct MetricRegistryTests {
    private static let families = [
        MetricFamily("belfry_pushes", .counter, help: "Pushes.", labels: ["kind"]),
        MetricFamily("belfry_open", .gauge, help: "Open \"things\".\nTwo lines."),
        MetricFamily("belfry_wait_seconds", .histogram([0.1, 1]), unit: "seconds", help: "Waits."),
        MetricFamily("belfry_build", .info, help: "Version.", labels: ["version"]),
    ]

    @Test func textIsInTheFormatOfOpenMetrics() async {
        let registry = MetricRegistry(Self.families)
        Counter(label: "belfry_pushes", dimensions: [("kind", "a\\b\"c")], factory: registry).increment(by: 3)
        Meter(label: "belfry_open", factory: registry).set(2)
        let timer = Timer(label: "belfry_wait_seconds", factory: registry)
        for nanoseconds: Int64 in [50_000_000, 100_000_000, 500_000_000, 2_000_000_000] {
            timer.recordNanoseconds(nanoseconds)
        }
        registry.add { [MetricSample("belfry_build", [("version", "1.0")], 1), MetricSample("of_nobody", 1)] }

        #expect(
            await registry.text(.openMetrics) == """
                # TYPE belfry_build info
                # HELP belfry_build Version.
                belfry_build_info{version="1.0"} 1.0
                # TYPE belfry_open gauge
                # HELP belfry_open Open \\"things\\".\\nTwo lines.
                belfry_open 2.0
                # TYPE belfry_pushes counter
                # HELP belfry_pushes Pushes.
                belfry_pushes_total{kind="a\\\\b\\"c"} 3.0
                # TYPE belfry_wait_seconds histogram
                # UNIT belfry_wait_seconds seconds
                # HELP belfry_wait_seconds Waits.
                belfry_wait_seconds_bucket{le="0.1"} 2.0
                belfry_wait_seconds_bucket{le="1.0"} 3.0
                belfry_wait_seconds_bucket{le="+Inf"} 4.0
                belfry_wait_seconds_count 4.0
                belfry_wait_seconds_sum 2.65
                # EOF

                """)
    }

    @Test func olderFormatNamesFamiliesAsTheirSamples() async {
        let registry = MetricRegistry(Self.families)
        Counter(label: "belfry_pushes", dimensions: [("kind", "a")], factory: registry).increment(by: 3)
        registry.add { [MetricSample("belfry_build", [("version", "1.0")], 1)] }
        #expect(MetricFormat(accept: "text/plain") == .text && MetricFormat(accept: nil) == .text)
        #expect(
            await registry.text(.text) == """
                # HELP belfry_build_info Version.
                # TYPE belfry_build_info gauge
                belfry_build_info{version="1.0"} 1.0
                # HELP belfry_pushes_total Pushes.
                # TYPE belfry_pushes_total counter
                belfry_pushes_total{kind="a"} 3.0

                """)
    }

    @Test func seriesThatNobodyDeclaredAreNotKept() async {
        let registry = MetricRegistry(Self.families)
        Counter(label: "http_requests", factory: registry).increment()
        Counter(label: "belfry_pushes", factory: registry).increment()
        Counter(label: "belfry_pushes", dimensions: [("other", "a")], factory: registry).increment()
        Meter(label: "belfry_pushes", dimensions: [("kind", "a")], factory: registry).set(1)
        #expect(await registry.text(.openMetrics) == "# EOF\n")
    }

    @Test func labelWithTooManyValuesKeepsTheFirst() async {
        let registry = MetricRegistry(Self.families)
        for number in 0..<MetricFamily.maximumSeries + 10 {
            Counter(label: "belfry_pushes", dimensions: [("kind", "\(number)")], factory: registry).increment()
        }
        let text = await registry.text(.openMetrics)
        let samples = text.split(separator: "\n").count { $0.hasPrefix("belfry_pushes_total") }
        #expect(samples == MetricFamily.maximumSeries)
    }

    @Test func countsOfManyThreadsAreExact() async {
        let registry = MetricRegistry(Self.families)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 {
                        Counter(label: "belfry_pushes", dimensions: [("kind", "a")], factory: registry).increment()
                        Timer(label: "belfry_wait_seconds", factory: registry).recordNanoseconds(1)
                    }
                }
            }
        }
        let text = await registry.text(.openMetrics)
        #expect(text.contains("belfry_pushes_total{kind=\"a\"} 8000.0\n"))
        #expect(text.contains("belfry_wait_seconds_count 8000.0\n"))
    }
}
