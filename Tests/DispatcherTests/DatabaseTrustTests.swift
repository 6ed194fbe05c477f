import EventLoop
import Foundation
import Postgres
import Store
import Testing

@testable import Dispatcher

/// The verdicts of a process about what it sees, from what it remembers.
struct DatabaseTrustTests {
    private static let process = ProcessID()
    private static let start = MonotonicTime.now()
    private static let server = Timestamp(microseconds: 5_000_000)
    private static let beatenAt = Timestamp(microseconds: 9_000_000)

    enum Memory: CaseIterable { case own, recentFile, oldFile, none }

    private static func trust(_ memory: Memory, beat: Int64 = 7) -> DatabaseTrust {
        let limits = DatabaseTrust.Limits(silence: .seconds(10), absence: .seconds(70))
        let remembered = ProcessMemory(process: ProcessID(), beat: beat, beatenAt: beatenAt, origin: 3, generation: 1)
        switch memory {
        case .own:
            var trust = DatabaseTrust(process: process, limits: limits)
            trust.beaten(beat, at: beatenAt, in: seen(.own))
            return trust
        case .recentFile: return DatabaseTrust(process: process, limits: limits, memories: [remembered])
        case .oldFile:
            return DatabaseTrust(process: process, limits: limits, memories: [remembered], areRecent: false)
        case .none: return DatabaseTrust(process: process, limits: limits)
        }
    }

    /// A database that is as it was, of the same server.
    private static func seen(
        _ memory: Memory, _ change: (inout DatabaseObservation) -> Void = { _ in }
    ) -> DatabaseObservation {
        var seen = DatabaseObservation(origin: 3, generation: 1, server: server, beats: memory == .none ? [] : [7])
        change(&seen)
        return seen
    }

    private static func verdict(
        _ memory: Memory, after seconds: Int = 0, _ change: (inout DatabaseObservation) -> Void
    ) -> DatabaseTrust.Verdict {
        var trust = trust(memory)
        let seen = seen(memory, change)
        let first = trust.judge(seen, at: start)
        return seconds == 0 ? first : trust.judge(seen, at: start + .seconds(seconds))
    }

    @Test(arguments: Memory.allCases)
    func confirmedServerIsTrusted(_ memory: Memory) {
        #expect(Self.verdict(memory) { _ in } == .isConfirmed)
    }

    @Test(arguments: Memory.allCases, [true, false])
    func restoredDumpAsks(_ memory: Memory, isConfirmed: Bool) {
        #expect(
            Self.verdict(memory) { ($0.hasSameTables, $0.isConfirmed) = (false, isConfirmed) }
                == .ask(.dumpWasRestored))
    }

    @Test(arguments: [Memory.own, .recentFile, .oldFile], [true, false])
    func missingBeatAsks(_ memory: Memory, isConfirmed: Bool) {
        for beat: Int64 in [0, 6] {
            #expect(
                Self.verdict(memory) { ($0.beats, $0.isConfirmed) = ([beat], isConfirmed) }
                    == .ask(.commitsAreMissing))
        }
    }

    @Test func missingFlushAsksOnlyTheProcessThatMadeIt() {
        #expect(Self.verdict(.own) { $0.hasFlushes = false } == .ask(.commitsAreMissing))
        #expect(Self.verdict(.recentFile) { $0.hasFlushes = false } == .isConfirmed)
    }

    @Test(arguments: [Memory.own, .recentFile], [0, 3])
    func sameServerStartedAgainIsConfirmedAtOnce(_ memory: Memory, silent: Int) {
        #expect(
            Self.verdict(memory) { ($0.isConfirmed, $0.silentProcesses) = (false, silent) } == .confirm)
    }

    @Test(arguments: [Memory.own, .recentFile])
    func otherServerIsConfirmedWhenEverybodyHasCompared(_ memory: Memory) {
        #expect(Self.verdict(memory) { ($0.isConfirmed, $0.hasSameTimeline) = (false, false) } == .confirm)
    }

    @Test(arguments: [true, false])
    func otherServerWaitsForSilentProcesses(isSynchronous: Bool) {
        func verdict(after seconds: Int) -> DatabaseTrust.Verdict {
            Self.verdict(.own, after: seconds) {
                ($0.isConfirmed, $0.hasSameTimeline, $0.silentProcesses) = (false, false, 1)
                $0.isSynchronous = isSynchronous
            }
        }
        #expect(verdict(after: 0) == .wait(.processIsSilent))
        #expect(verdict(after: 9) == .wait(.processIsSilent))
        #expect(verdict(after: 10) == (isSynchronous ? .confirm : .ask(.processIsSilent)))
    }

    @Test(arguments: [Memory.oldFile, .none])
    func withoutAMemoryOpenWorkAsksAtLast(_ memory: Memory) {
        func verdict(after seconds: Int, hasWork: Bool) -> DatabaseTrust.Verdict {
            Self.verdict(memory, after: seconds) { ($0.isConfirmed, $0.hasWork) = (false, hasWork) }
        }
        #expect(verdict(after: 0, hasWork: false) == .confirm)
        #expect(verdict(after: 69, hasWork: true) == .wait(.nobodyRemembers))
        #expect(verdict(after: 70, hasWork: true) == .ask(.nobodyRemembers))
    }

    @Test func waitBeginsAgainWithAnotherServer() {
        var trust = Self.trust(.none)
        let first = Self.seen(.none) { $0.isConfirmed = false }
        let second = Self.seen(.none) { ($0.isConfirmed, $0.server) = (false, Timestamp(microseconds: 6_000_000)) }
        #expect(trust.judge(first, at: Self.start) == .wait(.nobodyRemembers))
        #expect(trust.judge(second, at: Self.start + .seconds(80)) == .wait(.nobodyRemembers))
        #expect(trust.judge(second, at: Self.start + .seconds(150)) == .ask(.nobodyRemembers))
    }

    /// Its own beat on the new server says what that one does, which has no standby.
    @Test func replicationBeforeTheFailoverCounts() {
        var trust = Self.trust(.own)
        func seen(isSynchronous: Bool) -> DatabaseObservation {
            Self.seen(.own) {
                ($0.isConfirmed, $0.hasSameTimeline, $0.silentProcesses) = (false, false, 1)
                $0.isSynchronous = isSynchronous
            }
        }
        #expect(trust.judge(seen(isSynchronous: true), at: Self.start) == .wait(.processIsSilent))
        #expect(trust.judge(seen(isSynchronous: false), at: Self.start + .seconds(11)) == .confirm)
    }

    /// Only beats before the failover tell who was at work.
    @Test func momentStaysWhileItWaits() {
        var trust = Self.trust(.own)
        let seen = Self.seen(.own) {
            ($0.isConfirmed, $0.hasSameTimeline, $0.silentProcesses) = (false, false, 1)
        }
        #expect(trust.judge(seen, at: Self.start) == .wait(.processIsSilent))
        trust.beaten(8, at: Timestamp(microseconds: 99_000_000), in: seen)
        #expect(trust.moment == Self.beatenAt)
    }

    // MARK: Generations

    @Test func memoryFromBeforeAGenerationThatAnotherProcessBeganIsForgotten() {
        var trust = Self.trust(.own)
        let seen = Self.seen(.own) {
            ($0.generation, $0.changedAt) = (2, Timestamp(microseconds: 9_000_001))
            ($0.beats, $0.hasFlushes) = ([0], false)
        }
        #expect(trust.judge(seen, at: Self.start) == .isConfirmed)
        #expect(trust.own == nil)
        #expect(trust.firstBeat == 8)
    }

    /// A state directory was used with another database before.
    @Test(arguments: [Memory.own, .recentFile, .oldFile])
    func memoryOfAnotherDatabaseSaysNothing(_ memory: Memory) {
        var trust = Self.trust(memory)
        let seen = Self.seen(memory) { ($0.origin, $0.generation, $0.beats) = (4, 2, [0]) }
        #expect(trust.judge(seen, at: Self.start) == .isConfirmed)
        #expect(trust.memories.isEmpty)
    }

    @Test(arguments: [nil, Timestamp(microseconds: 8_000_000)])
    func returnToAnEarlierGenerationAsks(_ changedAt: Timestamp?) {
        #expect(Self.verdict(.own) { ($0.generation, $0.changedAt) = (2, changedAt) } == .ask(.commitsAreMissing))
    }

    @Test func beatWhoseAnswerWasLostCounts() {
        var trust = Self.trust(.own)
        #expect(trust.judge(Self.seen(.own) { $0.beats = [8] }, at: Self.start) == .isConfirmed)
        #expect(trust.own?.beat == 8)
    }
}
