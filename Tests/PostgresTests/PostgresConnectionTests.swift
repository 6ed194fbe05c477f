import Postgres
import TestSupport
import Testing

@testable import EventLoop

@Suite struct PostgresConnectionTests {
    @Test func overlappingStatementsAreAnsweredInOrderAndFailAlone() async throws {
        try await withConnection { connection, _ in
            let answers = await withTaskGroup(of: (Int, Result<Int, PostgresError>).self) { group in
                for number in 0..<200 {
                    group.addTask {
                        do throws(PostgresError) {
                            let divisor = number % 3 == 0 ? 0 : 1
                            return (number, .success(try await connection.query("SELECT \(number) / \(divisor)")[0][0]))
                        } catch {
                            return (number, .failure(error))
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.0) == Array(0..<200))
            for (number, answer) in answers {
                switch answer {
                case .success(let value): #expect(value == number && number % 3 != 0)
                case .failure(let error): #expect(error.sqlState == "22012" && number % 3 == 0)
                }
            }
        }
    }

    @Test func laterStatementGoesOutBeforeTheEarlierAnswer() async throws {
        try await withConnection { connection, configuration in
            let other = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
            try await other.execute("BEGIN")
            try await other.execute("SELECT pg_advisory_xact_lock(1)")
            async let first = connection.query("SELECT pg_advisory_lock(1)::text, clock_timestamp()")
            async let second = connection.query("SELECT 'second'")
            try await other.execute("COMMIT")
            #expect(try await first.count == 1)
            #expect(try await second.value(0, String.self) == "second")
            await other.close()
        }
    }

    @Test func failedPreparationDoesNotAffectTheSameStatement() async throws {
        try await withConnection { connection, _ in
            async let one = postgresError { _ = try await connection.query("SELECT * FROM missing") }
            async let two = postgresError { _ = try await connection.query("SELECT * FROM missing") }
            #expect(await one?.sqlState == "42P01")
            #expect(await two?.sqlState == "42P01")
            try await connection.execute("CREATE TABLE missing (n int)")
            #expect(try await connection.query("SELECT * FROM missing").isEmpty)
        }
    }

    @Test func preparedStatementsStayWithinTheirLimit() async throws {
        try await withConnection({ $0.preparedStatements = 3 }) { connection, _ in
            for number in 0..<20 { _ = try await connection.query("SELECT \(unescaped: "\(number)")") }
            let count = try await connection.query(
                PostgresQuery(unescaped: "SELECT count(*) FROM pg_prepared_statements"))
            #expect(try count.value(0, Int.self) <= 4)
        }
        try await withConnection({ $0.preparedStatements = 0 }) { connection, _ in
            let found = try await connection.query("SELECT count(*) FROM pg_prepared_statements").value(0, Int.self)
            #expect(found == 0)
        }
    }

    @Test func statementsInUseStayPrepared() async throws {
        try await withConnection({ $0.preparedStatements = 3 }) { connection, _ in
            for number in 0..<20 {
                _ = try await connection.query("SELECT 'in use'")
                _ = try await connection.query("SELECT \(unescaped: "\(number)")")
            }
            let uses = try await connection.query(
                "SELECT statement, generic_plans + custom_plans FROM pg_prepared_statements ORDER BY prepare_time")
            #expect(uses.count <= 4)
            #expect(try uses[0][0, as: String.self] == "SELECT 'in use'")
            #expect(try uses[0][1, as: Int64.self] == 20)
        }
    }

    @Test func statementsThatTheServerHasForgottenArePreparedAgain() async throws {
        try await withConnection { connection, _ in
            _ = try await connection.query("SELECT 1")
            try await connection.execute("DEALLOCATE ALL")
            #expect(await postgresError { _ = try await connection.query("SELECT 1") }?.sqlState == "26000")
            // Nothing is deallocated that does not exist: it would make a transaction fail.
            try await connection.transaction { connection in
                for _ in 0..<3 { _ = try await connection.query("SELECT 1") }
            }
        }
    }

    /// At once, except in a transaction, which has failed then.
    @Test func statementOfAChangedTableIsPreparedAgain() async throws {
        try await withConnection { connection, _ in
            try await connection.execute("CREATE TABLE t (a int)")
            _ = try await connection.query("SELECT * FROM t")
            try await connection.execute("ALTER TABLE t ADD b int")
            #expect(try await connection.query("SELECT * FROM t").columnCount == 2)
            try await connection.execute("ALTER TABLE t ADD c int")
            let error = await postgresError {
                try await connection.transaction { _ = try await $0.query("SELECT * FROM t") }
            }
            #expect(error?.sqlState == "0A000")
            #expect(try await connection.query("SELECT * FROM t").columnCount == 3)
        }
    }

    @Test func errorsKeepWhatTheServerSaidButNoValues() async throws {
        try await withConnection { connection, _ in
            try await connection.execute("CREATE TABLE t (token text CONSTRAINT t_token UNIQUE)")
            try await connection.execute("INSERT INTO t VALUES (\("secret"))")
            let error = await postgresError { try await connection.execute("INSERT INTO t VALUES (\("secret"))") }
            #expect(error?.isUniqueViolation(constraint: "t_token") == true)
            #expect(error?.isUniqueViolation(constraint: "other") == false)
            #expect(error?.table == "t")
            #expect(error?.sql == "INSERT INTO t VALUES ($1)")
            #expect(error?.detail?.contains("secret") == true)
            let bad = await postgresError { _ = try await connection.query("SELECT \("secret")::int") }
            #expect(bad?.sqlState == "22P02")
            for text in [error, bad].compactMap({ $0 }) {
                #expect(!"\(text)\(String(reflecting: text))".contains("secret"))
            }
        }
    }

    @Test func statementPastItsDeadlineIsStoppedAndTheNextOnesRun() async throws {
        try await withConnection { connection, _ in
            async let slow = postgresError {
                _ = try await connection.query("SELECT pg_sleep(60)", deadline: .milliseconds(50))
            }
            async let next = connection.query("SELECT 1")
            #expect(await slow?.kind == .deadline)
            let found = try await next.value(0, Int.self)
            #expect(found == 1)
            #expect(try await connection.query("SELECT 2", deadline: .seconds(5)).value(0, Int.self) == 2)
        }
    }

    @Test func cancelledTaskStopsItsStatementOnTheServer() async throws {
        try await withConnection { connection, configuration in
            let other = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
            let error = try await withThrowingTaskGroup(of: PostgresError?.self) { group in
                group.addTask { await postgresError { _ = try await connection.query("SELECT pg_sleep(60)") } }
                try await untilRunning("pg_sleep", seenBy: other)
                group.cancelAll()
                return try await group.next() ?? nil
            }
            #expect(error?.kind == .cancelled)
            #expect(try await connection.query("SELECT 1").count == 1)
            await other.close()
        }
    }

    @Test func deadlinesUnderLoadHitTheirOwnStatementsOnly() async throws {
        try await withConnection { connection, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        if number % 10 == 0 {
                            let error = await postgresError {
                                _ = try await connection.query("SELECT pg_sleep(9)", deadline: .milliseconds(20))
                            }
                            #expect(error?.kind == .deadline)
                        } else {
                            let found = try await connection.query("SELECT \(number)").value(0, Int.self)
                            #expect(found == number)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func lostConnectionFailsAllThatIsUnderWay() async throws {
        try await withConnection { connection, configuration in
            let other = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
            let victim = await connection.serverProcess
            async let one = postgresError { _ = try await connection.query("SELECT pg_sleep(60)") }
            async let two = postgresError { _ = try await connection.query("SELECT 2") }
            try await untilRunning("pg_sleep", seenBy: other)
            try await other.execute("SELECT pg_terminate_backend(\(victim))")
            let errors = [await one, await two]
            for error in errors {
                #expect(error?.kind == .connectionLost(duringCommit: false))
                #expect(error?.isUnavailable == true)
            }
            #expect(await connection.isOpen == false)
            #expect(await postgresError { _ = try await connection.query("SELECT 1") }?.isUnavailable == true)
            await other.close()
        }
    }

    @Test func queriesNeverLeaveTheLoop() async throws {
        try await withConnection { connection, _ in
            let loop = connection.loop
            let before = loop.crossings
            for number in 0..<100 {
                _ = try await connection.query("SELECT \(number)")
                #expect(loop.isCurrent)
            }
            try await connection.transaction { try await $0.execute("CREATE TABLE t (n int)") }
            #expect(loop.isCurrent)
            #expect(loop.crossings == before)
        }
    }

    @Test func queriesComeFromOtherThreadsToo() async throws {
        try await withConnection { connection, _ in
            let values = await withTaskExecutorPreference(globalConcurrentExecutor) {
                await withTaskGroup(of: Int?.self) { group in
                    for number in 0..<50 {
                        group.addTask { try? await connection.query("SELECT \(number)")[0][0, as: Int.self] }
                    }
                    return await group.reduce(into: Set()) { $0.insert($1) }
                }
            }
            #expect(values == Set(0..<50))
        }
    }

    @Test func largeResultsAndParametersTransferConcurrently() async throws {
        try await withConnection { connection, _ in
            let bytes = [UInt8](repeating: 7, count: 4_000_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let found = try await connection.query("SELECT \(bytes)").value(0, [UInt8].self)
                        #expect(found == bytes)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func moreParametersThanThereCanBeAreRefused() async throws {
        try await withConnection { connection, _ in
            var query: PostgresQuery = "SELECT \(1)"
            for _ in 1..<PostgresQuery.maximumParameters { query += ", \(1)" }
            #expect(await postgresError { _ = try await connection.query("SELECT 1 WHERE 1 IN (\(query))") } != nil)
            query += ", \(1)"
            #expect(await postgresError { _ = try await connection.query(query) }?.kind == .misuse)
            let found = try await connection.query("SELECT 1").count
            #expect(found == 1)
        }
    }

    @Test func scriptsRunBetweenStatements() async throws {
        try await withConnection { connection, _ in
            async let before = connection.query("SELECT 1")
            async let script: Void = connection.queryScript("CREATE TABLE s (n int); INSERT INTO s VALUES (1), (2);")
            _ = try await before
            try await script
            #expect(try await connection.query("SELECT count(*) FROM s").value(0, Int.self) == 2)
            let error = await postgresError {
                try await connection.queryScript("INSERT INTO s VALUES (3); SELECT 1/0; SELECT 2")
            }
            #expect(error?.sqlState == "22012")
            #expect(try await connection.query("SELECT count(*) FROM s").value(0, Int.self) == 2)
            let slow = await postgresError {
                try await connection.queryScript("SELECT pg_sleep(60)", deadline: .milliseconds(30))
            }
            #expect(slow?.kind == .deadline)
            #expect(await connection.isIdle)
        }
    }

    @Test func refusedConnectionSaysWhy() async throws {
        try await TestLoop.run { loop in
            let nowhere = PostgresConfiguration(socketDirectory: "/nonexistent", user: "u", database: "d")
            let error = await postgresError {
                _ = try await PostgresConnection.connect(nowhere, on: loop, logger: quiet)
            }
            #expect(error?.kind == .connectFailed)
            #expect(error?.isUnavailable == true)
        }
        try await TestDatabase.withDatabase { configuration in
            var configuration = configuration
            configuration.database = "no_such_database"
            try await TestLoop.run { [configuration] loop in
                let error = await postgresError {
                    _ = try await PostgresConnection.connect(configuration, on: loop, logger: quiet)
                }
                #expect(error?.sqlState == "3D000")
                #expect(error?.isUnavailable == false)
            }
        }
    }

    @Test func connectionStringsAreReadAndNeverShown() throws {
        let url = try PostgresConfiguration("postgres://me:hunter2@db.example:5433/belfry?sslmode=require")
        #expect("\(url)" == "user=me host=db.example port=5433 dbname=belfry")
        #expect(try PostgresConfiguration("host=/run user=me dbname=x").database == "x")
        do {
            _ = try PostgresConfiguration("host=a hunter2")
            Issue.record("must be refused")
        } catch {
            #expect(error.kind == .misuse)
            #expect(!"\(error)".contains("hunter2"))
        }
    }
}

/// Polls the server until another session runs a statement that contains this text.
func untilRunning(_ text: String, seenBy connection: PostgresConnection) async throws {
    while true {
        let rows = try await connection.query(
            """
            SELECT 1 FROM pg_stat_activity
            WHERE state = 'active' AND datname = current_database() AND pid <> pg_backend_pid()
            AND query LIKE \("%" + text + "%")
            """)
        if !rows.isEmpty { return }
    }
}
