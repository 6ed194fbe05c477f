import Campaigns
import JSON
import Notifications
import Store

/// The result of an import: how many lines were stored, which failed, and which were stored with changes.
struct ImportReport: Sendable {
    /// The maximum number of problems in the report, enough for a tenth of the lines of a file of a million. Further
    /// failed lines are only counted. A report of that length has about 13 MB.
    static let maximumProblems = 100_000
    /// The same for lines that were stored with changes.
    static let maximumChanges = 10_000
    /// The maximum number of problems that are listed per line.
    static let maximumProblemsPerLine = 5

    private(set) var stored = 0
    private(set) var refused = 0
    /// Lines about devices that are not Apple's.
    private(set) var leftOut = 0
    /// Devices that are newer than their lines, and were left as they are, but for new opt-outs.
    private(set) var newer = 0
    /// Lines about people and devices that were erased after the file was made. Nothing of them was stored.
    private(set) var erased = 0
    /// Stored lines with an opt-out from all campaigns.
    private(set) var optedOut = 0
    private(set) var optOutsKept = 0
    private(set) var optOutsRemoved = 0
    private var refusals = LineProblems(limit: maximumProblems)
    private var changes = LineProblems(limit: maximumChanges)
    /// The number of warnings by their codes. A warning means that a value was stored differently from the input.
    private var warnings: [String: Int] = [:]
    /// How the file was read.
    var file = DeviceFileFacts()

    /// The number of lines, without empty lines and the header.
    var lines: Int { stored + refused + leftOut + erased }

    mutating func addStored(line: Int, _ warnings: [Problem], isOptedOut: Bool = false) {
        stored += 1
        if isOptedOut { optedOut += 1 }
        for warning in warnings { self.warnings[warning.code, default: 0] += 1 }
        if !warnings.isEmpty { changes.add(line, warnings) }
    }

    mutating func addRefused(line: Int, _ problems: [Problem]) {
        refused += 1
        refusals.add(line, problems)
    }

    mutating func addLeftOut() { leftOut += 1 }

    mutating func addErased() { erased += 1 }

    mutating func add(_ effect: ImportEffect) {
        if effect.isLeft { newer += 1 }
        optOutsKept += effect.optOutsKept
        optOutsRemoved += effect.optOutsRemoved
    }

    mutating func add(_ other: ImportReport) {
        newer += other.newer
        optedOut += other.optedOut
        optOutsKept += other.optOutsKept
        optOutsRemoved += other.optOutsRemoved
        stored += other.stored
        refused += other.refused
        leftOut += other.leftOut
        erased += other.erased
        refusals.add(other.refusals)
        changes.add(other.changes)
        warnings.merge(other.warnings, uniquingKeysWith: +)
    }

    var json: JSON {
        let warnings = warnings.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .count($0.value)) }
        return [
            "lines": .count(lines), "stored": .count(stored), "failed": .count(refused), "left_out": .count(leftOut),
            "erased": .count(erased), "newer": .count(newer), "opted_out": .count(optedOut),
            "opt_outs_kept": .count(optOutsKept), "opt_outs_removed": .count(optOutsRemoved),
            "failures": refusals.json, "changes": changes.json, "warnings": .object(warnings), "file": file.json,
        ]
    }
}

/// Lines of a file with their problems, up to a limit.
private struct LineProblems: Sendable {
    let limit: Int
    /// In the order of processing, which is almost the order of the file.
    private var lines: [(line: Int, problems: [Problem])] = []
    private var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func add(_ line: Int, _ problems: [Problem]) {
        let listed = Array(problems.prefix(ImportReport.maximumProblemsPerLine))
        guard count + listed.count <= limit else { return }
        lines.append((line, listed))
        count += listed.count
    }

    mutating func add(_ other: LineProblems) {
        for line in other.lines { add(line.line, line.problems) }
    }

    var json: JSON {
        .array(
            lines.sorted { $0.line < $1.line }.map { line -> JSON in
                ["line": .count(line.line), "problems": .array(line.problems.map(\.json))]
            })
    }
}
