import Postgres
import TestSupport
import Testing

@Suite struct DurableCommitTests {
    /// What a new session says where the database is set so.
    private func setting(
        where database: String, _ change: (inout PostgresConfiguration) -> Void = { _ in }
    ) async throws -> String {
        var found = ""
        try await withConnection { admin, configuration in
            try await admin.execute(
                """
                ALTER DATABASE \(unescaped: configuration.database ?? "") SET synchronous_commit = \(unescaped: database)
                """)
            var configuration = configuration
            change(&configuration)
            let session = try await PostgresConnection.connect(configuration, on: admin.loop, logger: quiet)
            found = try await session.query("SHOW synchronous_commit").value(0, String.self)
            await session.close()
        }
        return found
    }

    @Test func sessionTurnsItOnWhereItIsOff() async throws {
        #expect(try await setting(where: "off") == "on")
    }

    @Test(arguments: ["local", "remote_write", "remote_apply", "on"])
    func sessionLeavesWhatSurvivesACrashOfTheServer(_ value: String) async throws {
        #expect(try await setting(where: value) == value)
    }

    @Test func sessionOfAPoolerIsLeftAlone() async throws {
        #expect(try await setting(where: "off") { $0.keepsCommitsDurable = false } == "off")
    }
}
