import Postgres
public import Store

/// Judges what is known of all processes and runs: which processes are lost, and what a person has to look at. A value:
/// the command `belfry status`, the API and its page show the same.
///
/// Docs/decisions/processes.md explains why the list of processes decides nothing else.
public struct SystemStatus: Sendable {
    /// A process is lost when it was not seen for this long. It says that it runs six times as often.
    public static let longestSilence = Duration.seconds(60)
    /// Work that nobody does is stuck after this time: a lease of a lost worker has ended long before.
    public static let patience = Duration.seconds(120)
    /// The time for which a lost process is listed, and needs attention.
    public static let lostAreListed = Duration.seconds(86_400)
    /// The time for which a process is listed that has ended.
    public static let endedAreListed = Duration.seconds(3_600)

    public enum ProcessState: String, Hashable, Sendable {
        case running, lost, ended
    }

    public struct Process: Hashable, Sendable {
        public let record: ProcessRecord
        public let state: ProcessState
    }

    public let facts: SystemFacts
    /// Running ones first, then lost ones.
    public let processes: [Process]
    /// Empty if all is well.
    public let findings: [Finding]

    public init(_ facts: SystemFacts) {
        self.facts = facts
        processes = Self.judge(facts.processes, at: facts.now)
        findings = Self.findings(facts, processes)
    }

    public var needsAttention: Bool { !findings.isEmpty }
    public var pausedRuns: [OpenRunRecord] { facts.runs.filter(\.isPaused) }

    // MARK: Processes

    private static func judge(_ records: [ProcessRecord], at now: Timestamp) -> [Process] {
        let all = records.compactMap { record -> Process? in
            let state = state(of: record, at: now)
            switch state {
            case .running: break
            case .ended where now - record.seenAt > endedAreListed: return nil
            case .lost where now - record.seenAt > lostAreListed || isReplaced(record, in: records): return nil
            case .ended, .lost: break
            }
            return Process(record: record, state: state)
        }
        let order: [ProcessState] = [.running, .lost, .ended]
        return order.flatMap { state in
            all.filter { $0.state == state }.sorted { one, two in
                (one.record.identity.name, one.record.startedAt) < (two.record.identity.name, two.record.startedAt)
            }
        }
    }

    private static func state(of record: ProcessRecord, at now: Timestamp) -> ProcessState {
        if record.endedAt != nil { return .ended }
        return now - record.seenAt > longestSilence ? .lost : .running
    }

    /// Whether a lost process was started again.
    private static func isReplaced(_ lost: ProcessRecord, in records: [ProcessRecord]) -> Bool {
        records.contains {
            $0.startedAt > lost.seenAt && $0.identity.name == lost.identity.name
                && $0.identity.host == lost.identity.host && $0.identity.kind == lost.identity.kind
        }
    }

    // MARK: Findings

    /// A finding that explains others comes first, and the others are left out.
    private static func findings(_ facts: SystemFacts, _ processes: [Process]) -> [Finding] {
        var findings: [Finding] = []
        let isAnyRunning = processes.contains { $0.state == .running }
        if !isAnyRunning { findings.append(Finding(.noProcess)) }
        for process in processes where process.state == .lost {
            findings.append(Finding(.processLost(process.record), since: process.record.seenAt))
        }
        for run in facts.runs where run.isPaused && (run.asksAfterRestore || run.reason != nil) {
            findings.append(Finding(run.asksAfterRestore ? .restoreQuestion(run) : .runPaused(run)))
        }
        guard isAnyRunning else { return findings }
        let isStuck = { (since: Timestamp?) in since.map { facts.now - $0 > patience } ?? false }
        guard facts.isConfirmed else {
            // Without work nobody needs to know it.
            let hasWork = facts.campaignDueSince != nil || facts.runs.contains { !$0.isPaused }
            if hasWork, isStuck(facts.serverStartedAt) {
                findings.append(Finding(.databaseNotConfirmed, since: facts.serverStartedAt))
            }
            return findings
        }
        if isStuck(facts.campaignDueSince) {
            findings.append(Finding(.campaignsNotStarted, since: facts.campaignDueSince))
        }
        for run in facts.runs {
            let faults: [(Finding.Kind, Timestamp?)] = [
                (.leasesLapsed(run), run.lapsedSince), (.runNotSent(run), run.waitingSince),
                (.runNotPlanned(run), run.unplannedSince), (.runNotFinished(run), run.completeSince),
            ]
            if let (kind, since) = faults.first(where: { isStuck($0.1) }) {
                findings.append(Finding(kind, since: since))
            }
        }
        return findings
    }
}
