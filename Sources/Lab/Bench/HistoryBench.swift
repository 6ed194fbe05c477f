import EventLoop
import Foundation

/// Measures what an app with a long past costs, beside one on another server that has only the last week: planning, the
/// frequency cap, conditions on events, claims, lists of runs, the history of a device, acknowledgements, and erasing a
/// person. Both have the same number of registered devices; three in ten of the older app's are retired.
struct HistoryBench {
    static let devices = 200_000
    static let retiredShare = 0.3
    /// Measurements of what takes milliseconds.
    static let attempts = 41
    /// Measurements that plan a whole run.
    static let planningAttempts = 11

    /// Of history, at a thousand runs, a hundred thousand transactional pushes and a million events each.
    let weeks: Int

    func run(into report: inout BenchReport) async throws {
        let rows = try await BenchScratch.run("history") { [weeks] old, _ in
            try await BenchScratch.run("recent") { young, loop in
                try await HistorySide.fill(old, retired: Self.retiredShare, weeks: weeks + 1, on: loop)
                try await HistorySide.fill(young, retired: 0, weeks: 1, on: loop)
                // Both servers are new now: neither has in its memory what it has just written.
                return try await HistorySide.open(old, on: loop) { old in
                    try await HistorySide.open(young, on: loop) { young in try await Self.compare(old, young) }
                }
            }
        }
        for row in rows { row.add(to: &report, "history", \.time) }
        for row in rows { row.add(to: &report, "history.cpu", \.processorTime) }
        report.note(
            "\(weeks) weeks, \(Self.devices.formatted()) registered devices; each week 961 runs, 96,150 transactional pushes "
                + "and about a million events; two servers in turn, medians of \(Self.planningAttempts) or \(Self.attempts) "
                + "pairs, and of their ratios")
        report.note("history.cpu: processor time of PostgreSQL, which the disk and other programs change less")
    }

    /// A measurement of both apps, repeated. Pairs are compared with each other, because the machine becomes slower and
    /// faster meanwhile.
    private struct Row: Sendable {
        let name: String
        let unit: String
        let pairs: [(old: HistorySide.Cost, young: HistorySide.Cost)]

        func add(
            to report: inout BenchReport, _ group: String, _ part: (HistorySide.Cost) -> Double
        ) {
            report.add(
                "\(group).\(name)", pairs.map { part($0.old) }.median, unit, peer: "of the last week only",
                peerValue: pairs.map { part($0.young) }.median,
                ratio: pairs.map { part($0.old) / part($0.young) }.median)
        }
    }

    private static func compare(_ old: HistorySide, _ young: HistorySide) async throws -> [Row] {
        var rows: [Row] = []
        for (name, unit, attempts, measure) in HistorySide.measurements {
            var pairs: [(old: HistorySide.Cost, young: HistorySide.Cost)] = []
            for attempt in 0..<attempts {
                // Each is the first as often as the other.
                if attempt.isMultiple(of: 2) {
                    let youngCost = try await measure(young, attempt)
                    pairs.append((try await measure(old, attempt), youngCost))
                } else {
                    pairs.append((try await measure(old, attempt), try await measure(young, attempt)))
                }
            }
            rows.append(Row(name: name, unit: unit, pairs: pairs))
        }
        return rows
    }
}
