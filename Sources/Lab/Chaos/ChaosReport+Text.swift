import APNSSimulator
import Belfry
import Campaigns
import Store

extension ChaosReport {
    /// The tables that are printed above the verdict.
    var table: String {
        ([ledgerTable, appleTable, unknownsTable, exampleTable].filter { !$0.isEmpty }).joined(separator: "\n\n")
    }

    private static let nameWidth = 34
    private static let numberWidth = 12

    private static func row(_ name: String, _ cells: [String], _ remark: String = "") -> String {
        let cells = cells.map { $0.leftPadded(to: numberWidth) }.joined()
        return "  \(name.padded(to: nameWidth))\(cells)\(remark.isEmpty ? "" : "  \(remark)")"
    }

    private static func row(_ name: String, _ count: Int, _ remark: String = "") -> String {
        row(name, [count.grouped], remark)
    }

    private var ledgerTable: String {
        var lines = [
            Self.row("The ledger", ["the run", "batches", "bytes"]),
            Self.row("targeted", [run.targeted, sums.targeted, recount.targeted].map(\.grouped)),
        ]
        for kind in OutcomeKind.allCases {
            let counts = [run.ledger[kind], sums[kind], recount[kind]]
            guard counts.contains(where: { $0 > 0 }) else { continue }
            lines.append(Self.row("  \(kind.rawValue)", counts.map(\.grouped)))
        }
        for (reason, count) in unknowns.sorted(by: { $0.value > $1.value }) {
            lines.append(Self.row("    \(reason)", ["", "", count.grouped]))
        }
        return lines.joined(separator: "\n")
    }

    private var appleTable: String {
        var lines = [
            Self.row("Apple's record", apple.accepted, "pushes accepted"),
            Self.row("  accepted in the ledger", recount[.accepted]),
            Self.row("  accepted twice, marked", findings.acceptedTwiceMarked),
            Self.row("  unknown in the ledger", findings.reachedUnknown),
        ]
        if findings.reachedBefore > 0 {
            lines.append(Self.row("  rejected when sent again, marked", findings.reachedBefore))
        }
        for (reason, count) in apple.refused.sorted(by: { $0.value > $1.value }) {
            lines.append(Self.row("rejected", count, reason))
        }
        let unanswered = apple.unanswered
        lines += [
            Self.row("no answer", unanswered.abandoned),
            Self.row("reset", unanswered.reset),
            Self.row(
                "connection closed", unanswered.connectionClosed,
                "on \(unanswered.connectionsCut.grouped) connections"),
            Self.row("connections", apple.connects),
        ]
        return lines.joined(separator: "\n")
    }

    private var unknownsTable: String {
        var lines = [
            Self.row("skipped", findings.skipped),
            Self.row("accepted twice, not marked", findings.acceptedTwice),
        ]
        if policy == .resend {
            let bound = "at most \(lossBound.grouped) from lost workers and \(wireBound.grouped) from lost answers"
            lines.append(Self.row("was unknown, sent again", recount.resent, bound))
        } else {
            let lost = unknowns["worker lost", default: 0]
            lines.append(Self.row("unknown, worker lost", lost, "at most \(lossBound.grouped)"))
        }
        for loss in losses {
            lines.append(Self.row("  \(loss.what)", [""], "held \(loss.held.text)"))
        }
        return lines.joined(separator: "\n")
    }

    private var exampleTable: String {
        findings.examples.map { "  example: \($0)" }.joined(separator: "\n")
    }
}

extension ChaosAudit.Held {
    var text: String {
        "\(batches) \(batches == 1 ? "batch" : "batches"), \(ambiguous.grouped) ambiguous recipients"
    }
}
