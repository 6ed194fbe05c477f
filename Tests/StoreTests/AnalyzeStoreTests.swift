import Campaigns
import Postgres
import Store
import StoreSupport
import TestSupport
import Testing

@Suite struct AnalyzeStoreTests {
    @Test func grownTableIsAnalyzedOnce() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let store = fixture.stores.analyze
            #expect(try await store.analyzeStaleTables() == [])
            try await fixture.pool.withConnection { connection in
                try await connection.insertDevices(1...3_000, of: app)
                // Otherwise a session reports its changes only after some seconds.
                try await connection.execute("SELECT pg_stat_force_next_flush()")
                try await connection.execute("SELECT 1")
            }
            #expect(try await store.analyzeStaleTables() == ["device_activity", "devices"])
            let rows: Int = try await fixture.pool.query(
                "SELECT reltuples::bigint FROM pg_class WHERE oid = 'devices'::regclass")[0][0]
            #expect(rows == 3_000)
            #expect(try await store.analyzeStaleTables() == [])
        }
    }
}
