import Foundation
import HTTPTypes
import JSON
import Logging
import Postgres
import Store
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    struct StatusCommandTests {
        /// Asks until the answer fulfils the condition: processes enter the list shortly after their start.
        private func status(
            _ server: ServeFixture, until isReached: (JSON) -> Bool
        ) async throws -> (status: Int32, json: JSON) {
            while true {
                let ending = try await server.command(["status", "--json"]).ending()
                let json = try JSON(parsing: ending.output)
                if isReached(json) { return (ending.status, json) }
            }
        }

        private func names(_ json: JSON, _ state: String) -> [String] {
            (json["processes"]?.elements ?? []).filter { $0["state"]?.text == state }.compactMap { $0["name"]?.text }
        }

        private func execute(_ statement: PostgresQuery, _ server: ServeFixture) async throws -> PostgresRows {
            try await withTaskExecutorPreference(server.loop) {
                let connection = try await PostgresConnection.connect(
                    server.database, on: server.loop, logger: Logger(label: "test"))
                let rows = try await connection.query(statement)
                await connection.close()
                return rows
            }
        }

        @Test func processesAreListedOnceAndNamedInTheSessionsOfPostgreSQL() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(
                    in: folder, serve: ["--send-loops", "2", "--process-name", "web-1"]
                ) { server in
                    let worker = try await server.command(["work", "--process-name", "worker-1"])
                    let running = try await status(server) { names($0, "running").count == 2 }
                    #expect(running.status == 0 && names(running.json, "running") == ["web-1", "worker-1"])
                    let web = running.json["processes"]?.elements.first
                    #expect(web?["kind"] == "serve" && web?["pid"]?.int == Int(server.process.id))
                    #expect(web?["host"]?.text == ProcessName.host)

                    // The pools connect when they are used.
                    let expected: Set = [
                        "belfry serve web-1 web", "belfry serve web-1 work-0", "belfry serve web-1 work-1",
                        "belfry serve web-1 listen-1", "belfry serve web-1 list", "belfry work worker-1 work-0",
                    ]
                    _ = try await server.send(.get, "/campaigns", nil)
                    var sessions: Set<String> = []
                    while !expected.isSubset(of: sessions) {
                        let rows = try await execute(
                            "SELECT application_name FROM pg_stat_activity WHERE datname = current_database()", server)
                        sessions.formUnion(try rows.map { try $0[0] })
                    }

                    worker.send(SIGTERM)
                    _ = try await worker.ending()
                    let ended = try await server.command(["status"]).ending()
                    #expect(ended.status == 0 && ended.output.hasPrefix("All is well."))
                    #expect(ended.output.contains("worker-1") && ended.output.contains("ended"))
                }
            }
        }

        @Test func exitStatusSaysWhetherSomethingNeedsAPersonOrIsNotKnown() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder, serve: ["--process-name", "web-1"]) { server in
                    let worker = try await server.command(["work", "--process-name", "worker-1"])
                    _ = try await status(server) { names($0, "running").count == 2 }
                    worker.send(SIGKILL)
                    _ = try await worker.ending()
                    _ = try await execute(
                        """
                        UPDATE processes
                        SET started_at = now() - interval '1 hour', seen_at = now() - interval '5 minutes'
                        WHERE name = 'worker-1'
                        """, server)

                    let lost = try await server.command(["status"]).ending()
                    #expect(lost.status == 1 && lost.output.hasPrefix("1 thing needs attention."))
                    #expect(lost.output.contains("LOST, seen 5 min ago"))
                    #expect(lost.output.contains("The process worker-1 is lost"))

                    _ = try await execute("ALTER TABLE processes RENAME TO other", server)
                    let other = try await server.command(["status", "--json"]).ending()
                    #expect(other.status == 2)
                    #expect(try JSON(parsing: other.output)["status"] == "unknown")
                    #expect(other.output.contains("schema version"))
                    _ = try await execute("ALTER TABLE other RENAME TO processes", server)
                }
                // The server of the database has ended now; and there is none in another directory.
                let away = try await BelfryProcess(
                    ["status"], in: folder,
                    environment: ["DATABASE_URL": "postgres://belfry@localhost/belfry?host=\(folder.path)"],
                    capturesErrors: true
                ).ending()
                #expect(away.status == 2 && away.output.contains("The database does not answer"))
                let none = try await BelfryProcess(
                    ["status", "--state", "\(folder.path)/nothing"], in: folder, capturesErrors: true
                ).ending()
                #expect(none.status == 2 && none.output.contains("No database is set"))
                #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/nothing"))
            }
        }

        @Test func nameOfASessionFitsAndKeepsItsPart() throws {
            var process = ProcessName(String(repeating: "n", count: 64))
            process.kind = .serve
            #expect(process.session("listen-12").utf8.count == 63)
            #expect(process.session("listen-12").hasSuffix("nn listen-12"))
            #expect(ProcessName("web-1").session("") == "belfry command web-1")
            #expect(throws: (any Error).self) { try ProcessName.checked("two words") }
            #expect(throws: (any Error).self) { try ProcessName.checked("") }
            #expect(throws: (any Error).self) { try ProcessName.checked(String(repeating: "n", count: 65)) }
            #expect(try ProcessName.checked("a.B-1_c") == "a.B-1_c")
        }
    }
}
