import JSON
import Notifications
import Store

/// The result of an import: how many lines were stored, and which failed.
struct ImportReport: Sendable {
    /// The maximum number of failed lines that are listed; more are only counted.
    static let maximumRefusals = 1_000
    /// The maximum number of problems that are listed per line.
    static let maximumProblems = 5

    private(set) var stored = 0
    private(set) var refused = 0
    /// In the order of processing, which is almost the order of the file.
    private var refusals: [(line: Int, problems: [Problem])] = []
    /// The number of warnings by their codes. A warning means that a value was stored differently from the input.
    private var warnings: [String: Int] = [:]

    /// The number of lines, without empty lines and the header.
    var lines: Int { stored + refused }

    /// `warnings` are codes.
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
            "lines": .count(lines), "stored": .count(stored), "failed": .count(refused),
            "failures": .array(refusals), "warnings": .object(warnings),
        ]
    }
}
