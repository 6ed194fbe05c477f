import EventLoop
import Postgres
import Store

/// Decides whether the database still has all that was confirmed, after each start of PostgreSQL and whenever a beat is
/// due. A value: the loop runs the queries.
///
/// Backups, snapshots and failovers keep the first part of the commits. So a beat that is there proves that everything
/// is there that was confirmed before it, to anybody.
///
/// Docs/decisions/database.md explains what processes remember.
public struct DatabaseTrust: Equatable, Sendable {
    /// Why commits may be lost.
    public enum Doubt: Equatable, Sendable {
        case dumpWasRestored
        case commitsAreMissing
        /// Another server took over, and a process that was at work does not tell what was confirmed to it.
        case processIsSilent
        /// PostgreSQL was started, and there is no memory of what it should have.
        case nobodyRemembers
    }

    enum Verdict: Equatable {
        /// Its identity is confirmed, and nothing is missing.
        case isConfirmed
        /// Nothing is missing: confirm its identity.
        case confirm
        case wait(Doubt)
        /// Begin another generation: a person decides about each open run.
        case ask(Doubt)
    }

    struct Limits: Equatable, Sendable {
        /// The time that other processes get to compare a server with their memories.
        var silence: Duration
        /// The time that a process without a memory waits for one that has one.
        var absence: Duration
    }

    private struct Wait: Equatable, Sendable {
        let server: Timestamp
        let began: MonotonicTime
        let lastBeat: Timestamp?
        /// Before the process wrote a beat on this server.
        let isSynchronous: Bool
    }

    let process: ProcessID
    let limits: Limits
    /// The process's own memory, or those of earlier processes until it has one.
    private(set) var memories: [ProcessMemory]
    /// False if an earlier process may have gone on after its memory was stored. Such a memory can still contradict.
    private let areMemoriesRecent: Bool
    private var wait: Wait?
    private var lastBeat: Int64 = 0

    init(process: ProcessID, limits: Limits, memories: [ProcessMemory] = [], areRecent: Bool = true) {
        self.process = process
        self.limits = limits
        self.memories = memories
        areMemoriesRecent = areRecent
    }

    /// The process's own memory; nil until its first beat is confirmed.
    var own: ProcessMemory? { memories.first { $0.process == process } }
    /// The number of a first beat in this generation.
    var firstBeat: Int64 { lastBeat + 1 }
    /// The last remembered beat before the present server was seen.
    var moment: Timestamp? { wait?.lastBeat ?? memories.map(\.beatenAt).max() }

    mutating func judge(_ seen: DatabaseObservation, at now: MonotonicTime) -> Verdict {
        let holds = compare(seen)
        guard seen.hasSameTables else { return .ask(.dumpWasRestored) }
        guard holds else { return .ask(.commitsAreMissing) }
        guard !seen.isConfirmed else {
            wait = nil
            return .isConfirmed
        }
        let wait = beginWait(seen, at: now)
        let waited = now - wait.began
        guard !memories.isEmpty, own != nil || areMemoriesRecent else {
            // Nothing can be sent again.
            guard seen.hasWork else { return .confirm }
            return waited < limits.absence ? .wait(.nobodyRemembers) : .ask(.nobodyRemembers)
        }
        // The same server was started again, or everybody has compared.
        if seen.hasSameTimeline || seen.silentProcesses == 0 { return .confirm }
        if waited < limits.silence { return .wait(.processIsSilent) }
        return wait.isSynchronous ? .confirm : .ask(.processIsSilent)
    }

    private mutating func beginWait(_ seen: DatabaseObservation, at now: MonotonicTime) -> Wait {
        if let wait, wait.server == seen.server { return wait }
        let new = Wait(
            server: seen.server, began: now, lastBeat: memories.map(\.beatenAt).max(), isSynchronous: seen.isSynchronous
        )
        wait = new
        return new
    }

    /// Whether the database has everything that is remembered. Forgets memories of other databases, and those from
    /// before a generation that another process began.
    private mutating func compare(_ seen: DatabaseObservation) -> Bool {
        var (holds, hasOwn) = (true, false)
        var valid: [ProcessMemory] = []
        for (memory, beat) in zip(memories, seen.beats) where memory.origin == seen.origin {
            if memory.generation != seen.generation, let changedAt = seen.changedAt, changedAt > memory.beatenAt {
                continue
            }
            hasOwn = hasOwn || memory.process == process
            holds = holds && memory.generation == seen.generation && beat >= memory.beat
            var memory = memory
            // The answer to the last beat was lost, but it is stored.
            if memory.process == process { memory.beat = max(memory.beat, beat) }
            valid.append(memory)
        }
        memories = valid
        return holds && (seen.hasFlushes || !hasOwn)
    }

    /// A beat of the process was confirmed: it remembers that one from now on.
    mutating func beaten(_ beat: Int64, at moment: Timestamp, in seen: DatabaseObservation, isLast: Bool = false) {
        lastBeat = max(lastBeat, beat)
        memories = [
            ProcessMemory(
                process: process, beat: beat, beatenAt: moment, origin: seen.origin, generation: seen.generation,
                hasEnded: isLast)
        ]
    }

    /// Another generation begins.
    mutating func forget() {
        lastBeat = max(lastBeat, own?.beat ?? 0)
        memories = []
        wait = nil
    }
}

extension DatabaseTrust.Doubt: CustomStringConvertible {
    public var description: String {
        switch self {
        case .dumpWasRestored: "a dump was restored"
        case .commitsAreMissing: "it lacks what was confirmed before: it was put back, or another server took over"
        case .processIsSilent:
            "another server took over, and a process that was at work has not confirmed that nothing is missing"
        case .nobodyRemembers: "PostgreSQL was started again, and no process remembers what was confirmed before"
        }
    }
}
