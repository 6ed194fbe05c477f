import Logging
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct AnalystRoleStoreTests {
    @Test func roleThatCantCreateOthersIsToldSoWithoutThePassword() async throws {
        try await StoreFixture.run { fixture in
            let role = "plain_\(fixture.configuration.database ?? "")"
            try await fixture.pool.execute("CREATE ROLE \(unescaped: role) LOGIN PASSWORD 'test'")
            try await fixture.pool.execute("GRANT belfry TO \(unescaped: role)")
            var configuration = fixture.configuration
            configuration.user = role
            configuration = try PostgresConfiguration("\(configuration) password=test")
            let pool = PostgresPool(configuration, on: fixture.loop, logger: Logger(label: "test"))
            let refusal = await #expect(throws: RolesAreForbidden.self) {
                try await AnalystRoleStore(pool: pool).grant(
                    to: "analyst_\(role)", password: nil, first: "three bells at noon")
            }
            #expect(refusal?.description.contains("CREATEROLE") == true)
            await pool.close()
            try await fixture.pool.execute("DROP ROLE \(unescaped: role)")
        }
    }
}
