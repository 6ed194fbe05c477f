import EventLoop
import Foundation
import Logging
import Postgres
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    struct AnalystRoleCommandTests {
        @Test func analystReadsWithTheRoleThatTheCommandCreates() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder) { server in
                    func output(_ arguments: [String], fails: Bool = false) async throws -> String {
                        let ending = try await server.command(["analyst-role"] + arguments).ending()
                        #expect((ending.status != 0) == fails, "\(arguments): \(ending)")
                        return ending.output
                    }
                    let first = try await output(["ada"])
                    #expect(
                        first.hasPrefix("The role ada can read statistics, ledgers and devices, and change nothing.\n"))
                    #expect(first.contains(try Regex("which is not shown again: [A-Za-z0-9_-]{24}\n")))
                    let again = try await output(["ada"])
                    #expect(again.hasPrefix("The role ada can read what this version has.\n"))
                    // The databases of other tests come and go.
                    #expect(again.contains(#/where none of its limits hold: .*\bpostgres\b.*\n/#))
                    #expect(again.contains(#/REVOKE CONNECT ON DATABASE .*"postgres".* FROM PUBLIC;\n/#))

                    let file = folder.appending(path: "password").path
                    try Data("three bells at noon\n".utf8).write(to: URL(filePath: file))
                    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                    #expect(
                        try await output(["ada", "--password-file", file]).contains("Its password was changed.\n"))
                    #expect(!(try await output(["eve", "--password-file", file]).contains("password")))
                    #expect(
                        AnalystRoleCommand.warning(of: ["a b\"c"], "eve").hasSuffix(
                            "REVOKE CONNECT ON DATABASE \"a b\"\"c\" FROM PUBLIC;"))

                    _ = try await output(["Ada"], fails: true)
                    let owner = try #require(server.database.user)
                    _ = try await output([owner], fails: true)  // It may do everything.
                    try Data("short".utf8).write(to: URL(filePath: file))
                    _ = try await output(["ada", "--password-file", file], fails: true)
                    try Data().write(to: URL(filePath: file))
                    _ = try await output(["ada", "--password-file", file], fails: true)

                    var configuration = server.database
                    configuration.user = "ada"
                    configuration = try PostgresConfiguration("\(configuration) password='three bells at noon'")
                    configuration.allowsReadOnly = true
                    let analyst = configuration
                    try await withTaskExecutorPreference(server.loop) {
                        let connection = try await PostgresConnection.connect(
                            analyst, on: server.loop, logger: Logger(label: "test"))
                        #expect(try await connection.query("SELECT * FROM bi.campaign_funnel").isEmpty)
                        await #expect(throws: PostgresError.self) {
                            try await connection.query("SELECT token FROM devices")
                        }
                        await #expect(throws: PostgresError.self) { try await connection.execute("DELETE FROM events") }
                        await connection.close()
                    }
                }
            }
        }
    }
}
