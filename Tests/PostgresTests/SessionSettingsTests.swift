import Postgres
import TestSupport
import Testing

@Suite struct SessionSettingsTests {
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
        #expect(try await setting(where: "off") { $0.configuresSessions = false } == "off")
    }

    @Test func sessionCompilesNoStatements() async throws {
        try await withConnection { admin, configuration in
            try await admin.execute("ALTER DATABASE \(unescaped: configuration.database ?? "") SET jit = on")
            let session = try await PostgresConnection.connect(configuration, on: admin.loop, logger: quiet)
            #expect(try await session.query("SHOW jit").value(0, String.self) == "off")
            await session.close()
        }
    }

    /// A process that is frozen inside a transaction, or whose host has lost its power, is silent in the same way.
    @Test func silentTransactionReleasesItsLocks() async throws {
        try await withConnection({ $0.idleInTransactionTimeout = .seconds(1) }) { silent, configuration in
            let other = try await PostgresConnection.connect(configuration, on: silent.loop, logger: quiet)
            try await other.execute("CREATE TABLE t (n int)")
            try await silent.execute("BEGIN")
            try await silent.execute("LOCK TABLE t")

            try await other.execute("INSERT INTO t VALUES (1)", deadline: .seconds(10))

            let loss = await postgresError { try await silent.execute("COMMIT") }
            #expect(loss?.kind == .connectionLost(duringCommit: false))
            #expect(await !silent.isOpen)
            await other.close()
        }
    }

    @Test func statementThatWaitsForALockGivesUp() async throws {
        try await withConnection({ $0.lockTimeout = .seconds(1) }) { waiting, configuration in
            let holder = try await PostgresConnection.connect(configuration, on: waiting.loop, logger: quiet)
            try await holder.execute("CREATE TABLE t (n int)")
            try await holder.execute("BEGIN")
            try await holder.execute("LOCK TABLE t")
            let refusal = await postgresError { try await waiting.execute("INSERT INTO t VALUES (1)") }
            #expect(refusal?.sqlState == "55P03" && refusal?.isUnavailable == true)
            try await holder.execute("COMMIT")
            try await waiting.execute("INSERT INTO t VALUES (1)")
            await holder.close()
        }
    }

    @Test func statementThatTakesTooLongIsCancelledByTheServer() async throws {
        try await withConnection({ $0.statementTimeout = .seconds(1) }) { connection, _ in
            let refusal = await postgresError { _ = try await connection.query("SELECT pg_sleep(60)") }
            #expect(refusal?.sqlState == "57014" && refusal?.kind == .server)
            let next = try await connection.query("SELECT 1")
            #expect(next.count == 1)
        }
    }

    @Test(arguments: [
        ("idle_in_transaction_session_timeout", "20s", "20s"), ("lock_timeout", "30s", "0"),
        ("statement_timeout", "15min", "0"),
    ])
    func limitOfTheDatabaseTakesPrecedence(_ name: String, _ own: String, unlimited: String) async throws {
        try await withConnection { admin, configuration in
            func limit(_ configuration: PostgresConfiguration) async throws -> String {
                let session = try await PostgresConnection.connect(configuration, on: admin.loop, logger: quiet)
                let found = try await session.query("SHOW \(unescaped: name)").value(0, String.self)
                await session.close()
                return found
            }
            #expect(try await limit(configuration) == own)
            #expect(try await limit(configuration.withoutTimeLimits) == unlimited)
            try await admin.execute(
                """
                ALTER DATABASE \(unescaped: configuration.database ?? "") SET \(unescaped: name) = '5s'
                """)
            #expect(try await limit(configuration) == "5s")
        }
    }
}
