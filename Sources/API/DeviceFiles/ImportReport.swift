import Campaigns
import JSON
import Notifications
import Store

/// The result of an import: how many lines were stored, and which failed.
struct ImportReport: Sendable {
    /// The maximum number of problems in the report, enough for a tenth of the lines of a file of a million. Further
    /// failed lines are only counted. A report of that length has about 13 MB.
    static let maximumProblems = 100_000
    /// The maximum number of problems that are listed per line.
    static let maximumProblemsPerLine = 5

    private(set) var stored = 0
    private(set) var refused = 0
    /// Devices that are newer than their lines, and were left as they are, but for new opt-outs.
    private(set) var newer = 0
    private(set) var optOutsKept = 0
    private(set) var optOutsRemoved = 0
    /// In the order of processing, which is almost the order of the file.
    private var refusals: [(line: Int, problems: [Problem])] = []
    private var problemCount = 0
    /// The number of warnings by their codes. A warning means that a value was stored differently from the input.
    private var warnings: [String: Int] = [:]

    /// The number of lines, without empty lines and the header.
    var lines: Int { stored + refused }

    /// `warnings` are codes.
    mutating func addStored(_ warnings: [String]) {
        stored += 1
        for code in warnings { self.warnings[code, default: 0] += 1 }
    }

    mutating func add(_ effect: ImportEffect) {
        if effect.isLeft { newer += 1 }
        optOutsKept += effect.optOutsKept
        optOutsRemoved += effect.optOutsRemoved
    }

    mutating func add(_ other: ImportReport) {
        newer += other.newer
        optOutsKept += other.optOutsKept
        optOutsRemoved += other.optOutsRemoved
        stored += other.stored
        refused += other.refused
        for refusal in other.refusals { list(refusal.line, refusal.problems) }
        warnings.merge(other.warnings, uniquingKeysWith: +)
    }

    mutating func addRefused(line: Int, _ problems: [Problem]) {
        refused += 1
        list(line, problems)
    }

    private mutating func list(_ line: Int, _ problems: [Problem]) {
        let listed = Array(problems.prefix(Self.maximumProblemsPerLine))
        guard problemCount + listed.count <= Self.maximumProblems else { return }
        refusals.append((line, listed))
        problemCount += listed.count
    }

    var json: JSON {
        let refusals = refusals.sorted { $0.line < $1.line }.map { refusal -> JSON in
            ["line": .count(refusal.line), "problems": .array(refusal.problems.map(\.json))]
        }
        let warnings = warnings.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .count($0.value)) }
        return [
            "lines": .count(lines), "stored": .count(stored), "failed": .count(refused), "newer": .count(newer),
            "opt_outs_kept": .count(optOutsKept), "opt_outs_removed": .count(optOutsRemoved),
            "failures": .array(refusals), "warnings": .object(warnings),
        ]
    }
}
