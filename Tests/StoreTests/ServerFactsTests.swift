import Logging
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

@Suite struct ServerFactsTests {
    @Test func plainRoleReadsTheFacts() async throws {
        try await StoreFixture.run { fixture in
            let role = "plain_\(fixture.configuration.database ?? "")"
            try await fixture.pool.execute("CREATE ROLE \(unescaped: role) LOGIN PASSWORD 'test'")
            var configuration = fixture.configuration
            configuration.user = role
            let pool = PostgresPool(
                try PostgresConfiguration("\(configuration) password=test"), on: fixture.loop,
                logger: Logger(label: "test"))
            let facts = try await ServerFacts.read(pool)
            let health = try await TableHealth.read(pool)
            let clock = try await ClockDifference.measure(pool)
            await pool.close()
            try await fixture.pool.execute("DROP ROLE \(unescaped: role)")

            #expect(facts.role == role && facts.database == fixture.configuration.database)
            #expect(facts.openConnections >= 1 && facts.openConnections <= facts.maximumConnections)
            #expect(facts.size > 1_000_000 && facts.partitions == 3)
            // Only a superuser may know it.
            #expect(facts.dataDirectory == nil)
            #expect(!health.oldestTable.isEmpty && health.freezeAge > 0)
            // The same machine's.
            #expect(abs(clock.ahead) <= clock.uncertainty + 0.01)
        }
    }

    @Test func superuserOnTheMachineKnowsTheDataDirectory() async throws {
        try await StoreFixture.run { fixture in
            let facts = try await ServerFacts.read(fixture.pool)
            #expect(facts.dataDirectory?.hasSuffix("/data") == true)
        }
    }

    @Test func rowsThatWereDeletedCountAsDead() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.pool.withConnection { connection in
                try await connection.execute("CREATE TABLE bloat AS SELECT generate_series(1, 1000) AS n")
                try await connection.execute("DELETE FROM bloat")
                // Otherwise the session tells it up to a second later.
                _ = try await connection.query("SELECT pg_stat_force_next_flush()")
            }
            let table = try await TableHealth.read(fixture.pool).tables.first
            #expect(table == .init(name: "bloat", liveRows: 0, deadRows: 1_000, secondsSinceVacuum: nil))
        }
    }
}
