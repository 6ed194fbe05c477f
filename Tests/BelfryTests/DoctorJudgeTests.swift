import APNS
import Campaigns
import Crypto
import Foundation
import JSON
import Notifications
import Postgres
import TestSupport
import Testing

@testable import Belfry
@testable import Store

/// What `belfry doctor` makes of facts.
struct DoctorJudgeTests {
    private static let facts = ServerFacts(
        version: "15.4 (Debian)", database: "belfry", role: "belfry", maximumConnections: 100, reservedConnections: 3,
        openConnections: 20, locksPerTransaction: 64, partitions: 50, walCompression: "lz4", isAutovacuumOn: true,
        size: 3_200_000_000)
    private static let plenty = FreeSpace(free: 400_000_000_000, total: 500_000_000_000)

    private func level(_ findings: [DoctorFinding], _ check: String) -> DoctorFinding.Level? {
        findings.first { $0.check == check }?.level
    }

    @Test func goodServerIsOk() {
        let findings = Self.facts.findings(space: Self.plenty)
        #expect(findings.allSatisfy { $0.level == .ok })
        #expect(findings.map(\.check) == ["server", "connections", "locks", "WAL", "space"])
        #expect(findings[0].message.hasPrefix("PostgreSQL 15.4;"))
    }

    @Test func connectionsMustSufficeForAnotherServer() {
        var facts = Self.facts
        facts.openConnections = 77
        #expect(level(facts.findings(space: nil), "connections") == .ok)
        facts.openConnections = 78
        #expect(level(facts.findings(space: nil), "connections") == .warning)
    }

    @Test func locksMustSufficeForStatementsThatReadAllEvents() {
        var facts = Self.facts
        // 64 × 100 locks; 8 statements take 3 for each partition.
        facts.partitions = 266
        #expect(level(facts.findings(space: nil), "locks") == .ok)
        facts.partitions = 267
        #expect(level(facts.findings(space: nil), "locks") == .warning)
        facts.locksPerTransaction = 256
        #expect(level(facts.findings(space: nil), "locks") == .ok)
    }

    @Test func spaceIsJudgedByShareAndAmount() {
        func level(_ free: Int64, of total: Int64) -> DoctorFinding.Level {
            FreeSpace(free: free, total: total).finding(.database, "space", of: "/data").level
        }
        #expect(level(19_000_000_000, of: 200_000_000_000) == .warning)
        #expect(level(21_000_000_000, of: 4_000_000_000_000) == .ok)
        #expect(level(3_000_000_000, of: 10_000_000_000) == .ok)
        #expect(level(999_999_999, of: 2_000_000_000) == .error)
    }

    @Test func sizesAreShort() {
        #expect(Int64(3_240_000_000).byteText == "3.2 GB")
        #expect(Int64(412_600_000_000).byteText == "413 GB")
        #expect(Int64(1_500).byteText == "2 kB")
    }

    @Test func clocksMayDifferByFiveSecondsBesideTheUncertainty() {
        #expect(ClockDifference(ahead: 5.4, uncertainty: 0.5).finding.level == .ok)
        let behind = ClockDifference(ahead: -7_200, uncertainty: 0.5).finding
        #expect(behind.level == .warning && behind.message == "2 h behind this machine's")
    }

    @Test func tablesOfDeadRowsAreNamed() {
        var health = TableHealth(
            tables: [
                .init(name: "devices", liveRows: 100_000, deadRows: 100_000, secondsSinceVacuum: 7_200),
                .init(name: "runs", liveRows: 10, deadRows: 99_999, secondsSinceVacuum: nil),
            ], oldestTable: "devices", oldestAge: 100_000_000, freezeAge: 200_000_000)
        let vacuum = health.findings(isAutovacuumOn: true)[0]
        #expect(vacuum.level == .warning)
        #expect(vacuum.message == "devices: 50 % of its rows are dead (100,000), last vacuumed 2 h ago")
        health.tables[0].liveRows = 200_000
        #expect(health.findings(isAutovacuumOn: true)[0].level == .ok)
        #expect(health.findings(isAutovacuumOn: false)[0].level == .warning)
    }

    @Test func transactionIDsThatAreNotFrozenBecomeAnError() {
        func level(_ age: Int64) -> DoctorFinding.Level {
            TableHealth(tables: [], oldestTable: "x", oldestAge: age, freezeAge: 200_000_000)
                .findings(isAutovacuumOn: true)[1].level
        }
        #expect(level(400_000_000) == .ok)
        #expect(level(400_000_001) == .warning)
        #expect(level(1_500_000_001) == .error)
    }

    @Test func partitionsAreNeededForThePresentAndTwoWeeks() {
        #expect(MessageRangeStore.Supply(hasCurrent: true, ahead: 2, wanted: 2).finding.level == .ok)
        #expect(MessageRangeStore.Supply(hasCurrent: true, ahead: 1, wanted: 2).finding.level == .warning)
        #expect(MessageRangeStore.Supply(hasCurrent: false, ahead: 2, wanted: 2).finding.level == .error)
    }

    @Test func certificateIsJudgedByItsDays() {
        func finding(_ days: Double) -> DoctorFinding {
            CertificateFiles.finding("cert.pem", secondsLeft: Int(days * 86_400))
        }
        #expect(finding(14).level == .ok)
        #expect(finding(13.9).level == .warning && finding(0.5).message.hasSuffix("expires in less than a day"))
        #expect(finding(-0.5).level == .error && finding(-0.5).message.hasSuffix("expired today"))
        #expect(finding(-2.5).message.hasSuffix("expired 2 days ago"))
    }

    @Test func openFilesAreJudgedByTheBudget() {
        #expect(DescriptorBudget(descriptors: 65_536).finding(wanted: nil).level == .ok)
        #expect(DescriptorBudget(descriptors: 1_024).finding(wanted: nil).level == .warning)
        #expect(DescriptorBudget(descriptors: 1_024).finding(wanted: 100).level == .ok)
        #expect(DescriptorBudget(descriptors: 1_024).finding(wanted: 1_000).level == .error)
        #expect(DescriptorBudget(descriptors: 256).finding(wanted: nil).level == .error)
    }

    @Test func missingSealingKeyIsAnErrorForADatabaseThatNeedsIt() {
        let missing = SealingKeyState(file: "var/sealing.key", keys: .missing, dumps: [])
        #expect(missing.findings(isSealed: true).map(\.level) == [.error])
        #expect(missing.findings(isSealed: nil).map(\.level) == [.warning])
        #expect(missing.findings(isSealed: false).map(\.level) == [.ok])
    }

    @Test func developmentHostOnlyWarns() {
        struct Silence: Error {}
        let result = Result<Duration, any Error>.failure(Silence())
        let findings = ReachFindings().adding(.production, [.production], result)
            .adding(.development, [.development], result).findings
        #expect(findings.map(\.level) == [.error, .warning])
        #expect(findings.map(\.check) == ["production", "development"])
    }

    @Test func reportIsAlignedAndCounted() throws {
        let report = DoctorReport(
            findings: [
                .ok(.database, "server", "PostgreSQL 15.4"),
                .warning(.database, "clock", "7 s behind", "Synchronise the clocks."),
            ] + DoctorFinding.skipped(.apns, ["host", "keys"], because: "no database"))
        #expect(
            report.text(isColoured: false) == """
                Database
                  ok       server  PostgreSQL 15.4
                  warning  clock   7 s behind
                                   → Synchronise the clocks.

                APNs
                  -        host    skipped: no database (also keys)

                1 of 4 checks are ok, 1 warning, 2 skipped.
                """)
        #expect(!report.hasErrors)
        #expect(report.json["status"] == "warning" && report.json["warnings"] == 1)
        #expect(report.json["findings"]?.elements.last?["level"] == "skipped")
    }

    @Test func longTextsAreBrokenAtSpaces() {
        #expect(DoctorReport.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(DoctorReport.wrapped("a /very/long/path b", to: 4) == ["a", "/very/long/path", "b"])
    }
}
