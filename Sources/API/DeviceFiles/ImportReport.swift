import JSON
import Notifications
import Store

/// What became of a file's lines.
struct ImportReport: Sendable {
    /// Refused lines that are named; of more there is only the number.
    static let maximumRefusals = 1_000
    /// Problems of one line that are named.
    static let maximumProblems = 5

    private(set) var stored = 0
    private(set) var refused = 0
    /// In the order in which they were met, which is almost that of the file.
    private var refusals: [(line: Int, problems: [Problem])] = []
    /// What was taken otherwise than it was given: how often, by its code.
    private var warnings: [String: Int] = [:]

    /// Lines that were read; empty ones and a header are none.
    var lines: Int { stored + refused }

    /// `warnings` by their codes.
    mutating func addStored(_ warnings: [String]) {
        stored += 1
        for code in warnings { self.warnings[code, default: 0] += 1 }
    }

    mutating func add(_ other: ImportReport) {
        stored += other.stored
        refused += other.refused
        refusals += other.refusals.prefix(Self.maximumRefusals - refusals.count)
        warnings.merge(other.warnings, uniquingKeysWith: +)
    }

    mutating func addRefused(line: Int, _ problems: [Problem]) {
        refused += 1
        guard refusals.count < Self.maximumRefusals else { return }
        refusals.append((line, Array(problems.prefix(Self.maximumProblems))))
    }

    var json: JSON {
        let refusals = refusals.sorted { $0.line < $1.line }.map { refusal -> JSON in
            ["line": .count(refusal.line), "problems": .array(refusal.problems.map(\.json))]
        }
        let warnings = warnings.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .count($0.value)) }
        return [
            "lines": .count(lines), "stored": .count(stored), "refused": .count(refused),
            "refusals": .array(refusals), "warnings": .object(warnings),
        ]
    }
}
