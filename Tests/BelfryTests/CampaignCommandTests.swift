import Foundation
import JSON
import Testing

extension BelfrySuite {
    @Suite struct CommandTests {
        @Test(arguments: [
            [], ["serve"], ["work"], ["migrate"], ["demo"], ["simulate"], ["send"], ["import"], ["app"],
            ["app", "create"], ["key"],
            ["key", "create"], ["key", "list"], ["key", "revoke"], ["sealing-key", "list"], ["sealing-key", "rotate"],
            ["bench"], ["chaos"],
        ])
        func helpIsPrinted(_ command: [String]) async throws {
            try await ScratchFolder.with { folder in
                let ending = try await BelfryProcess(command + ["--help"], in: folder).ending()
                #expect(ending.status == 0)
                #expect(ending.output.contains("USAGE: belfry"))
                #expect(command.allSatisfy(ending.output.contains))
            }
        }

        @Test func demoPrintsTheReasonsBelowTheirTerms() async throws {
            try await ScratchFolder.with { folder in
                let ending = try await BelfryProcess(["demo", "--once", "--devices", "500"], in: folder).ending()
                #expect(ending.status == 0)
                let lines = ending.output.split(separator: "\n").map { $0.drop { $0 == " " } }
                let suppressed = try #require(lines.firstIndex { $0.hasPrefix("suppressed") })
                #expect(lines[suppressed + 1].hasPrefix("notifications denied"))
                #expect(ending.output.contains("The ledger balances"))
            }
        }

        @Test func ledgerOfTheDemoBalances() async throws {
            try await ScratchFolder.with { folder in
                let demo = try await BelfryProcess(["demo", "--once", "--json", "--devices", "500"], in: folder)
                let ending = try await demo.ending()

                #expect(ending.status == 0)
                let ledger = try #require(
                    try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
                func term(_ name: String) throws -> Int { try #require(ledger[name] as? Int, "\(name)") }
                let terms = ["accepted", "rejected", "suppressed", "expired", "cancelled", "unknown", "pending"]
                #expect(try terms.map(term).reduce(0, +) == term("targeted"))
                #expect(try term("accepted") > 400 && term("pending") == 0)
                #expect(try term("phones_reached") == term("accepted"))
                #expect(ledger["balanced"] as? Bool == true)
            }
        }
    }
}
