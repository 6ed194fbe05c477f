import EventLoop
import Foundation
import JSON
import Logging
import Postgres
import PrivatePostgres
import TestSupport
import Testing

extension BelfrySuite {
    @Suite struct CommandTests {
        @Test(arguments: [
            [], ["serve"], ["work"], ["migrate"], ["demo"], ["simulate"], ["send"], ["import"], ["app"],
            ["app", "create"], ["key"],
            ["key", "create"], ["key", "list"], ["key", "revoke"], ["sealing-key", "list"], ["sealing-key", "rotate"],
            ["analyst-role"],
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

        @Test func demoOpensOnAWorkspaceWithAWeekOfCampaigns() async throws {
            try await ScratchFolder.with { folder in
                let demo = try await BelfryProcess(["demo", "--devices", "300", "--port", "0"], in: folder)
                _ = try await demo.output(until: "#sign-in=")
                demo.send(SIGTERM)
                _ = try await demo.ending()
                // The database outlives the demo; another process reads it.
                let cluster = try await LocalCluster.start(
                    directory: folder.appending(path: "var/postgres").path, logger: Logger(label: "test"))
                let loop = try EventLoop(name: "demo-test")
                let rows = try await withTaskExecutorPreference(loop) {
                    let database = try await PostgresConnection.connect(
                        cluster.configuration, on: loop, logger: Logger(label: "test"))
                    let rows = try await database.query(
                        """
                        SELECT c.name, c.state, extract(day FROM now() - c.created_at)::int AS days, r.balanced, r.opened
                        FROM campaigns c LEFT JOIN LATERAL (SELECT is_verified AS balanced, opened
                            FROM bi.campaign_funnel WHERE campaign_id = c.id) r ON true ORDER BY c.id
                        """)
                    await database.close()
                    return rows
                }
                loop.stop()
                await cluster.stop()
                #expect(rows.count == 12)
                let sent = try rows.prefix(9).map { (try $0["days", as: Int.self], try $0["balanced", as: Bool.self]) }
                #expect(sent.map(\.0) == [9, 8, 7, 6, 5, 4, 3, 2, 1] && sent.allSatisfy(\.1))
                #expect(try rows.prefix(9).allSatisfy { (try $0["opened", as: Int64?.self] ?? 0) > 0 })
                let others = try rows.suffix(3).map { try $0["state", as: String.self] }
                #expect(others == ["sending", "scheduled", "draft"])
            }
        }
    }
}
