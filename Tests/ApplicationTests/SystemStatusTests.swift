import Campaigns
import Foundation
import JSON
import Postgres
import Testing

@testable import Application
@testable import Store

@Suite struct SystemStatusTests {
    private static let now = Timestamp(secondsSince1970: 1_800_000_000)

    private static func ago(_ seconds: Int) -> Timestamp { now - .seconds(seconds) }

    private func process(
        _ name: String = "web-1", kind: ProcessKind = .serve, host: String = "a", started: Int = 7_200, seen: Int = 5,
        ended: Bool = false
    ) -> ProcessRecord {
        ProcessRecord(
            identity: ProcessIdentity(kind: kind, name: name, host: host, version: "1", pid: 7, schema: 1),
            startedAt: Self.ago(started), seenAt: Self.ago(seen), endedAt: ended ? Self.ago(seen) : nil)
    }

    private func run(_ change: (inout OpenRunRecord) -> Void = { _ in }) -> OpenRunRecord {
        var run = OpenRunRecord(
            key: Run.Key(app: .init(rawValue: 1), id: .init(rawValue: 9)), appName: "Shop",
            campaign: .init(rawValue: 4), campaignName: "Sale", startedAt: Self.ago(3_600))
        change(&run)
        return run
    }

    private func status(
        _ processes: [ProcessRecord], _ runs: [OpenRunRecord] = [], _ change: (inout SystemFacts) -> Void = { _ in }
    ) -> SystemStatus {
        var facts = SystemFacts(now: Self.now, backlog: .none, serverStartedAt: Self.ago(86_400))
        facts.processes = processes
        facts.runs = runs
        change(&facts)
        return SystemStatus(facts)
    }

    // MARK: Processes

    @Test func processIsLostAfterAMinuteOfSilenceUnlessItSaidThatItEnded() {
        let found = status([
            process("a", seen: 60), process("b", seen: 61), process("c", seen: 61, ended: true),
        ])
        #expect(found.processes.map(\.state) == [.running, .lost, .ended])
        #expect(found.findings.map(\.code) == ["process_lost"])
        #expect(found.findings.first?.process?.identity.name == "b")
        #expect(found.findings.first?.since == Self.ago(61))
    }

    @Test func lostProcessIsForgottenAfterADayAndAnEndedOneAfterAnHour() {
        let found = status([
            process("a"), process("b", started: 90_000, seen: 86_400), process("c", started: 90_000, seen: 86_401),
            process("d", seen: 3_600, ended: true), process("e", seen: 3_601, ended: true),
        ])
        #expect(found.processes.map(\.record.identity.name) == ["a", "b", "d"])
    }

    @Test func lostProcessThatWasStartedAgainIsLeftOut() {
        let lost = process("a", started: 7_200, seen: 300)
        #expect(!status([lost, process("a", started: 299)]).needsAttention)
        // Another one, and one that ran beside it.
        for other in [
            process("b", started: 200), process("a", kind: .work, started: 200), process("a", host: "b", started: 200),
            process("a", started: 301),
        ] {
            #expect(status([lost, other]).findings.map(\.code) == ["process_lost"])
        }
    }

    @Test func nobodyRunsWhenAllHaveEnded() {
        for processes in [[], [process(ended: true)]] {
            #expect(status(processes).findings.map(\.code) == ["no_process"])
        }
    }

    // MARK: Runs

    @Test func workThatNobodyDoesForTwoMinutesIsStuck() {
        let faults: [(String, WritableKeyPath<OpenRunRecord, Timestamp?>)] = [
            ("run_not_sent", \.waitingSince), ("leases_lapsed", \.lapsedSince), ("run_not_planned", \.unplannedSince),
            ("run_not_finished", \.completeSince),
        ]
        for (code, fact) in faults {
            #expect(!status([process()], [run { $0[keyPath: fact] = Self.ago(120) }]).needsAttention)
            let found = status([process()], [run { $0[keyPath: fact] = Self.ago(121) }])
            #expect(found.findings.map(\.code) == [code])
            #expect(found.findings.first?.run?.key.id.rawValue == 9 && found.findings.first?.since == Self.ago(121))
        }
        #expect(!status([process()]) { $0.campaignDueSince = Self.ago(120) }.needsAttention)
        let late = status([process()]) { $0.campaignDueSince = Self.ago(121) }
        #expect(late.findings.map(\.code) == ["campaigns_not_started"])
    }

    @Test func stuckWorkIsNotSaidTwiceWhenItsCauseIsKnown() {
        let stuck = run { $0.waitingSince = Self.ago(600) }
        #expect(status([], [stuck]).findings.map(\.code) == ["no_process"])
        let unconfirmed = status([process()], [stuck]) { $0.isConfirmed = false }
        #expect(unconfirmed.findings.map(\.code) == ["database_not_confirmed"])
    }

    @Test func unconfirmedDatabaseMattersWhenThereIsWorkAndTimeHasPassed() {
        #expect(!status([process()]) { $0.isConfirmed = false }.needsAttention)
        #expect(
            !status([process()], [run()]) {
                $0.isConfirmed = false
                $0.serverStartedAt = Self.ago(120)
            }.needsAttention)
        #expect(status([process()], [run()]) { $0.isConfirmed = false }.needsAttention)
    }

    @Test func runThatBelfryHasPausedNeedsAPersonAndOneThatAPersonHasPausedDoesNot() {
        let byPerson = run { $0.isPaused = true }
        let byBelfry = run {
            $0.isPaused = true
            $0.reason = "Apple refuses the key."
        }
        let asking = run {
            $0.isPaused = true
            $0.asksAfterRestore = true
            $0.reason = "The database was restored."
        }
        let found = status([process()], [byPerson, byBelfry, asking])
        #expect(found.pausedRuns.count == 3)
        #expect(found.findings.map(\.code) == ["run_paused", "restore_question"])
        #expect(found.findings.first?.message.description == "The run is paused: Apple refuses the key.")
    }
}

extension BacklogStore.Backlog {
    fileprivate static let none = BacklogStore.Backlog(
        sendingRuns: 0, pausedRuns: 0, dueBatches: 0, oldestDue: 0, leasedBatches: 0, lapsedLeases: 0,
        deferredRecipients: 0, plannerLag: 0, scheduleLateness: 0, restoreQuestions: 0, workingWebhooks: 0,
        failingWebhooks: 0, disabledWebhooks: 0,
        webhookMessages: 0, webhookLateness: 0)
}
