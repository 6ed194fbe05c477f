import EventLoop
import HTTPTypes
import JSON
import Logging
import Notifications
import Postgres
import Testing

@Suite struct HealthTests {
    @Test func readinessWantsASchemaThatTheProgramWorksWith() async throws {
        try await APIFixture.run { api in
            #expect(try await api.send(.get, "/readyz").status == 200)
            func add(needs: PostgresQuery) async throws {
                try await api.pool.execute(
                    """
                    INSERT INTO schema_migrations (number, name, checksum, oldest_program)
                    SELECT max(number) + 1, 'later', '', \(needs) FROM schema_migrations
                    """)
            }

            try await add(needs: "0")
            #expect(try await api.send(.get, "/readyz").status == 200)

            try await add(needs: "max(number) + 1")
            let answer = try await api.send(.get, "/readyz")
            #expect(answer.status == 503)
            #expect(answer.code == "schema-version-mismatch")
        }
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func unavailableDatabaseIsReportedAndReconnected(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            try await api.setConnections(allowed: false)

            for path in ["/v1/apps/\(app)", "/readyz"] {
                let answer = try await api.send(.get, path)
                #expect(answer.status == 503)
                #expect(answer.code == "database-unavailable")
                #expect(answer.headers[.retryAfter] == "2")
            }
            #expect(try await api.send(.get, "/healthz").status == 200)

            try await api.setConnections(allowed: true)
            #expect(try await api.send(.get, "/v1/apps/\(app)").status == 200)
            #expect(try await api.send(.get, "/readyz").status == 200)
        }
    }

    /// As after an update of PostgreSQL's package: open sessions work, and new ones can't load the library of PL/pgSQL.
    @Test func serverWhoseNewSessionsCantRunFunctionsIsNotReady() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            #expect(try await api.send(.get, "/readyz").status == 200)
            try await api.setLibrary("$libdir/replaced")

            // The last check is not used for longer than a second.
            try await api.pool.loop.sleep(for: .milliseconds(1_100))
            let readiness = try await api.send(.get, "/readyz")
            #expect(readiness.status == 503 && readiness.code == "database-unavailable")
            #expect(readiness.headers[.retryAfter] == "2")

            try await api.setLibrary("$libdir/plpgsql")
            #expect(try await api.send(.get, "/readyz").status == 200)
            #expect(try await api.send(.get, "/v1/apps/\(app)").status == 200)
        }
    }

    @Test func answersNameTheRequest() async throws {
        try await APIFixture.run(.live) { api in
            let name = try #require(HTTPField.Name("X-Request-Id"))
            let found = try await api.send(.get, "/healthz")
            let missing = try await api.send(.get, "/nothing")

            #expect(found.headers[name]?.count == 16)
            #expect(found.headers[.xContentTypeOptions] == "nosniff")
            #expect(missing.status == 404)
            #expect(missing.code == "not-found")
            #expect(missing.headers[name] == missing.text("request_id"))
            let method = try await api.send(.put, "/healthz")
            #expect(method.status == 405)
            #expect(method.code == "method-not-allowed")
            #expect(method.headers[.allow] == "GET, HEAD, OPTIONS")
        }
    }

    @Test func detailsOfUnexpectedErrorsAreOnlyLogged() async throws {
        try await APIFixture.run { api in
            _ = try await api.app()
            try await api.pool.execute("ALTER TABLE campaigns RENAME TO hidden")

            let answer = try await api.send(.get, "/v1/apps/1/campaigns")

            #expect(answer.status == 500)
            #expect(answer.code == "internal-error")
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("hidden"))
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("campaigns"))
        }
    }
}

extension APIFixture {
    /// Where this database's sessions find PL/pgSQL.
    fileprivate func setLibrary(_ path: String) async throws {
        try await pool.execute("UPDATE pg_proc SET probin = \(path) WHERE proname ~ '^plpgsql_'")
    }

    /// Lets nobody in, and throws out who is. The server stays, so that other tests do not notice.
    fileprivate func setConnections(allowed: Bool) async throws {
        var elsewhere = configuration
        elsewhere.database = "postgres"
        let connection = try await PostgresConnection.connect(elsewhere, on: pool.loop, logger: Logger(label: "test"))
        try await connection.execute(
            """
            ALTER DATABASE \(unescaped: configuration.database ?? "") ALLOW_CONNECTIONS \(unescaped: "\(allowed)")
            """)
        if !allowed {
            _ = try await connection.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = \(configuration.database)")
        }
        await connection.close()
    }
}
