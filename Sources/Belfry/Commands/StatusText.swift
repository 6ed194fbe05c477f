import Application
import Campaigns
import FoundationEssentials
import JSON
import Postgres
import Store

/// The status of the system as aligned text.
struct StatusText: CustomStringConvertible {
    private static let width = 100

    let status: SystemStatus

    init(_ status: SystemStatus) {
        self.status = status
    }

    var description: String {
        let sections = [[headline], processes, work, pausedRuns, findings].filter { !$0.isEmpty }
        return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private var headline: String {
        switch status.findings.count {
        case 0: "All is well."
        case 1: "1 thing needs attention."
        case let count: "\(count.grouped) things need attention."
        }
    }

    // MARK: Processes

    private var processes: [String] {
        guard !status.processes.isEmpty else { return [] }
        let head = ["PROCESS", "KIND", "VERSION", "HOST", "PID", "STARTED (UTC)", "STATE", "BATCHES"]
        let rows = status.processes.map { process in
            let (record, identity) = (process.record, process.record.identity)
            return [
                identity.name.printable, identity.kind.rawValue, identity.version.printable, identity.host.printable,
                "\(identity.pid)", Self.date(record.startedAt), state(of: process), record.leasedBatches.grouped,
            ]
        }
        return Self.table([head] + rows, right: [4, 7])
    }

    private func state(of process: SystemStatus.Process) -> String {
        switch process.state {
        case .running: "running, seen \(ago(process.record.seenAt))"
        case .lost: "LOST, seen \(ago(process.record.seenAt))"
        case .ended: "ended \(ago(process.record.seenAt))"
        }
    }

    /// Columns two spaces apart, as wide as their widest cell; numbers at the right.
    private static func table(_ rows: [[String]], right: Set<Int>) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map {
                right.contains($0) ? row[$0].leftPadded(to: widths[$0]) : row[$0].padded(to: widths[$0])
            }
            return "  " + cells.joined(separator: "  ").trimmedEnd
        }
    }

    // MARK: Work

    private var work: [String] {
        let backlog = status.facts.backlog
        let rows = [
            ("runs being sent", backlog.sendingRuns.grouped), ("runs paused", backlog.pausedRuns.grouped),
            (
                "batches due",
                backlog.dueBatches.grouped
                    + (backlog.dueBatches > 0 ? ", the oldest for \(Self.length(.seconds(backlog.oldestDue)))" : "")
            ),
            (
                "batches held",
                backlog.leasedBatches.grouped
                    + (backlog.lapsedLeases > 0 ? ", \(backlog.lapsedLeases.grouped) of them by silent workers" : "")
            ),
        ]
        return ["Work"] + rows.map { "  \($0.0.padded(to: 17))\($0.1)" }
    }

    /// Those that Belfry has paused are findings.
    private var pausedRuns: [String] {
        let runs = status.pausedRuns.filter { $0.reason == nil }
        return runs.isEmpty ? [] : ["Paused by a person"] + runs.map { "  \(Self.name($0))" }
    }

    // MARK: Findings

    private var findings: [String] {
        guard status.needsAttention else { return [] }
        return ["Needs attention"] + status.findings.flatMap(lines)
    }

    private func lines(_ finding: Finding) -> [String] {
        let since = finding.since.map {
            " Since \(Self.date($0)) UTC (\(Self.length(status.facts.now - $0)))."
        }
        return (finding.run.map { ["  \(Self.name($0))"] } ?? [])
            + Self.wrapped(finding.message.description.printable + (since ?? ""))
            + Self.wrapped(finding.remedy.description, after: "→ ")
    }

    private static func name(_ run: OpenRunRecord) -> String {
        "\(run.appName.printable): \(run.campaignName.printable) (campaign \(run.campaign), run \(run.key.id))"
    }

    /// Lines of at most `width` characters, indented.
    private static func wrapped(_ text: String, after mark: String = "") -> [String] {
        var lines: [String] = [], line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width - 4 - mark.count {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        lines.append(line)
        return lines.enumerated().map { index, line in
            "    " + (index == 0 ? mark : String(repeating: " ", count: mark.count)) + line
        }
    }

    // MARK: Times

    private func ago(_ time: Timestamp) -> String {
        let age = status.facts.now - time
        return age < .seconds(1) ? "now" : "\(Self.length(age)) ago"
    }

    /// In one unit: "12 s", "4 min", "3 h", "2 days".
    static func length(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(Int(seconds / 86_400).grouped) days"
        }
    }

    /// "2026-11-28 03:46".
    private static func date(_ time: Timestamp) -> String {
        Date(timeIntervalSince1970: time.secondsSince1970)
            .formatted(.iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false))
            .prefix(16).description
    }
}

extension String {
    fileprivate var trimmedEnd: String { String(self.reversed().drop { $0 == " " }.reversed()) }
}
