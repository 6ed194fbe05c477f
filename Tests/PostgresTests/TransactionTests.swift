import Postgres
import TestSupport
import Testing

@Suite struct TransactionTests {
    struct Refused: Error {}

    @Test func bodyThatThrowsIsRolledBack() async throws {
        try await withConnection { connection, _ in
            try await connection.execute("CREATE TABLE t (n int)")
            await #expect(throws: Refused.self) {
                try await connection.transaction { connection in
                    try await connection.execute("INSERT INTO t VALUES (1)")
                    throw Refused()
                }
            }
            let count = try await connection.transaction(isolation: .serializable) { connection in
                try await connection.execute("INSERT INTO t VALUES (2)")
                return try await connection.query("SELECT count(*) FROM t")[0][0, as: Int.self]
            }
            #expect(count == 1)
            #expect(await connection.isIdle)
        }
    }

    @Test func openingStatementsAreAnsweredInOrderInsideTheTransaction() async throws {
        try await withConnection { connection, _ in
            let answers = try await connection.transaction(opening: [
                "SELECT 1", "SELECT \("two")", "SELECT pg_current_xact_id()::text",
            ]) { connection, answers in
                let same = try await connection.query("SELECT pg_current_xact_id()::text")[0][0, as: String.self]
                #expect(try answers[2][0][0, as: String.self] == same)
                return [String(try answers[0][0][0, as: Int32.self]), try answers[1][0][0, as: String.self]]
            }
            #expect(answers == ["1", "two"])
        }
    }

    @Test func openingStatementThatFailsEndsTheTransactionWithItsOwnError() async throws {
        try await withConnection { connection, _ in
            let error = await postgresError {
                try await connection.transaction(opening: ["SELECT 1/0", "SELECT 1"]) { _, _ in
                    _ = Issue.record("the body does not run")
                }
            }
            #expect(error?.sqlState == "22012")
            #expect(await connection.isIdle)
        }
    }

    @Test func statementsSentTogetherFailEachForItself() async throws {
        try await withConnection { connection, _ in
            try await connection.execute("CREATE TABLE t (n int)")
            let error = await postgresError {
                _ = try await connection.queries([
                    "INSERT INTO t VALUES (1)", "SELECT 1/0", "INSERT INTO t VALUES (2)", "SELECT nobody",
                ])
            }
            #expect(error?.sqlState == "22012")
            #expect(try await connection.query("SELECT count(*) FROM t")[0][0, as: Int.self] == 2)
            #expect(try await connection.queries([]).isEmpty)
        }
    }

    @Test func cancelledTaskStopsStatementsSentTogether() async throws {
        try await withConnection { connection, configuration in
            let other = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
            try await other.execute("SELECT pg_advisory_lock(8)")
            async let error = withThrowingTaskGroup(of: PostgresError?.self) { group in
                group.addTask {
                    await postgresError {
                        _ = try await connection.queries(["SELECT pg_advisory_lock(8)", "SELECT pg_sleep(60)"])
                    }
                }
                while try await other.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
                    .isEmpty
                {}
                group.cancelAll()
                return try await group.next() ?? nil
            }
            #expect(try await error?.kind == .cancelled)
            #expect(await connection.isIdle)
            await other.close()
        }
    }

    @Test func commitOfAFailedTransactionIsAnError() async throws {
        try await withConnection { connection, _ in
            let error = await postgresError {
                try await connection.transaction { connection in
                    _ = await postgresError { _ = try await connection.query("SELECT 1/0") }
                }
            }
            #expect(error?.sqlState == "25P02")
        }
    }

    @Test func deferredConstraintFailsAtCommitForCertain() async throws {
        try await withConnection { connection, _ in
            try await connection.execute("CREATE TABLE t (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            let error = await postgresError {
                _ = try await connection.transaction { try await $0.execute("INSERT INTO t VALUES (1), (1)") }
            }
            #expect(error?.kind == .server)
            #expect(error?.isUniqueViolation() == true)
        }
    }

    @Test func commitOnADyingConnectionIsAmbiguous() async throws {
        try await withConnection { connection, configuration in
            let other = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
            // COMMIT runs the deferred trigger, which waits for the other session's lock.
            try await connection.queryScript(
                """
                CREATE TABLE t (n int);
                CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END';
                CREATE CONSTRAINT TRIGGER w AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION wait();
                """)
            try await other.execute("SELECT pg_advisory_lock(7)")
            let victim = await connection.serverProcess
            async let outcome = postgresError {
                _ = try await connection.transaction { try await $0.execute("INSERT INTO t VALUES (1)") }
            }
            try await untilRunning("COMMIT", seenBy: other)
            try await other.execute("SELECT pg_terminate_backend(\(victim))")
            #expect(await outcome?.kind == .connectionLost(duringCommit: true))
            #expect(await outcome?.description.contains("unknown whether COMMIT") == true)
            await other.close()
        }
    }

    @Test func cancelledTaskRollsBack() async throws {
        try await withConnection { connection, configuration in
            try await connection.execute("CREATE TABLE t (n int)")
            let other = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
            let error = try await withThrowingTaskGroup(of: PostgresError?.self) { group in
                group.addTask {
                    await postgresError {
                        try await connection.transaction { connection in
                            try await connection.execute("INSERT INTO t VALUES (1)")
                            try await connection.execute("SELECT pg_sleep(60)")
                        }
                    }
                }
                try await untilRunning("pg_sleep", seenBy: other)
                group.cancelAll()
                return try await group.next() ?? nil
            }
            #expect(error?.kind == .cancelled)
            #expect(await connection.isIdle)
            #expect(try await connection.query("SELECT FROM t").isEmpty)
            await other.close()
        }
    }
}
