import JSON

/// The findings of `belfry doctor`, for people and for scripts.
struct DoctorReport {
    let findings: [DoctorFinding]

    var hasErrors: Bool { count(.error) > 0 }

    private func count(_ level: DoctorFinding.Level) -> Int { findings.count { $0.level == level } }

    // MARK: For scripts

    var json: JSON {
        let worst: DoctorFinding.Level = hasErrors ? .error : count(.warning) > 0 ? .warning : .ok
        return [
            "status": .string(worst.rawValue),
            "ok": Self.number(count(.ok)), "warnings": Self.number(count(.warning)),
            "errors": Self.number(count(.error)),
            "skipped": Self.number(count(.skipped)),
            "findings": .array(findings.map(Self.json)),
        ]
    }

    private static func number(_ count: Int) -> JSON { .number(JSON.Number(count)) }

    private static func json(_ finding: DoctorFinding) -> JSON {
        [
            "group": .string(finding.group.rawValue), "check": .string(finding.check),
            "level": .string(finding.level.rawValue), "message": .string(finding.message),
            "remedy": finding.remedy.map { .string($0) } ?? .null,
        ]
    }

    // MARK: For people

    /// Longer texts are broken, so that the columns stay.
    static let width = 110
    private static let levelWidth = 9

    /// `isColoured` for a terminal.
    func text(isColoured: Bool) -> String {
        let checkWidth = (findings.map(\.check.count).max() ?? 0) + 2
        var lines: [String] = []
        for group in DoctorFinding.Group.allCases {
            let own = findings.filter { $0.group == group }
            guard !own.isEmpty else { continue }
            lines += ["", isColoured ? "\u{1B}[1m\(group.rawValue)\u{1B}[0m" : group.rawValue]
            for finding in own where finding.level != .skipped { lines += Self.lines(finding, checkWidth, isColoured) }
            for reason in Self.unique(own.filter { $0.level == .skipped }.map(\.message)) {
                let checks = own.filter { $0.level == .skipped && $0.message == reason }.map(\.check)
                lines += Self.lines(skipped: Self.unique(checks), reason, checkWidth, isColoured)
            }
        }
        return (lines.dropFirst() + ["", summary]).joined(separator: "\n")
    }

    private static func unique(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }

    private static func lines(_ finding: DoctorFinding, _ checkWidth: Int, _ isColoured: Bool) -> [String] {
        lines(
            finding.level.rawValue, colour: isColoured ? finding.level.colour : nil,
            finding.check.padded(to: checkWidth), finding.message, finding.remedy)
    }

    /// Checks that were skipped for the same reason share a line.
    private static func lines(
        skipped checks: [String], _ reason: String, _ checkWidth: Int, _ isColoured: Bool
    ) -> [String] {
        let others = checks.count > 1 ? " (also \(checks.dropFirst().joined(separator: ", ")))" : ""
        return lines(
            "-", colour: isColoured ? DoctorFinding.Level.skipped.colour : nil,
            checks[0].padded(to: checkWidth), "skipped: \(reason)\(others)", nil)
    }

    private static func lines(
        _ level: String, colour: Int?, _ check: String, _ message: String, _ remedy: String?
    ) -> [String] {
        let indent = 2 + levelWidth + check.count
        var rows = wrapped(message, to: width - indent)
        if let remedy {
            let hint = wrapped(remedy, to: width - indent - 2)
            rows += hint.enumerated().map { ($0.offset == 0 ? "→ " : "  ") + $0.element }
        }
        let shown = colour.map { "\u{1B}[\($0)m\(level)\u{1B}[0m" } ?? level
        let head = "  " + shown + "".padded(to: levelWidth - level.count) + check
        return rows.enumerated().map { index, row in (index == 0 ? head : "".padded(to: indent)) + row }
    }

    /// Breaks a text at spaces. A word that is longer, such as a path, stays whole.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        var rows: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            var row = ""
            for word in line.split(separator: " ") {
                if !row.isEmpty, row.count + 1 + word.count > width {
                    rows.append(row)
                    row = ""
                }
                row += (row.isEmpty ? "" : " ") + word
            }
            rows.append(row)
        }
        return rows
    }

    private var summary: String {
        let parts: [(Int, String, String)] = [
            (count(.error), "error", "errors"), (count(.warning), "warning", "warnings"),
            (count(.skipped), "skipped", "skipped"),
        ]
        let others = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
        let all = ["\(count(.ok)) of \(findings.count) checks are ok"] + others
        return all.joined(separator: ", ") + "."
    }
}

extension DoctorFinding.Level {
    /// Of a terminal: green, yellow, red, grey.
    fileprivate var colour: Int {
        switch self {
        case .ok: 32
        case .warning: 33
        case .error: 31
        case .skipped: 90
        }
    }
}
