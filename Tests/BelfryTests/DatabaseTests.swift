import Logging
import Postgres
import Testing

@testable import Belfry

struct DatabaseTests {
    @Test func behindAPoolerNothingIsPrepared() async throws {
        var settings = Settings()
        settings.databaseURL = "postgres://belfry@localhost/belfry"
        let (plain, same, _) = try await Database.server(settings, logger: Logger(label: "test"))
        #expect(plain.preparedStatements > 0 && same.preparedStatements > 0)

        settings.directDatabaseURL = "postgres://belfry@localhost:5433/belfry"
        let (pooled, direct, _) = try await Database.server(settings, logger: Logger(label: "test"))
        #expect(pooled.preparedStatements == 0)
        #expect(direct.preparedStatements > 0)
    }
}
