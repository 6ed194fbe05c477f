import Postgres
import TestSupport
import Testing

@Suite struct DurableCommitTests {
    /// The setting of a new session if the database has the given setting.
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

    @Test func sessionEnablesSynchronousCommitWhenOff() async throws {
        #expect(try await setting(where: "off") == "on")
    }

    @Test(arguments: ["local", "remote_write", "remote_apply", "on"])
    func sessionLeavesWhatSurvivesACrashOfTheServer(_ value: String) async throws {
        #expect(try await setting(where: value) == value)
    }

    @Test func pooledSessionRetainsItsSetting() async throws {
        #expect(try await setting(where: "off") { $0.enforcesDurableCommits = false } == "off")
    }
}
