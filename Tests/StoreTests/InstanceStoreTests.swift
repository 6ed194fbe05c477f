import Crypto
import Logging
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct InstanceStoreTests {
    @Test func commitsThatAreNotDurableAreReported() async throws {
        try await StoreFixture.run { fixture in
            let name = try #require(fixture.configuration.database)
            try await fixture.pool.execute("ALTER DATABASE \(unescaped: name) SET synchronous_commit = off")
            try await fixture.stores.instance.verifyCommitsAreDurable()

            var pooled = fixture.configuration
            pooled.configuresSessions = false
            let pool = PostgresPool(pooled, on: fixture.loop, logger: Logger(label: "test"))
            let error = await #expect(throws: CommitsAreNotDurable.self) {
                try await InstanceStore(pool: pool).verifyCommitsAreDurable()
            }
            #expect(error?.description.contains("ALTER DATABASE \(name) SET synchronous_commit = on") == true)
            await pool.close()
        }
    }

    @Test func serverWithoutFsyncIsReported() async throws {
        try await StoreFixture.run { fixture in
            // The tests' own server.
            let error = await #expect(throws: ServerIsNotDurable.self) {
                try await fixture.stores.instance.verifyServerIsDurable()
            }
            #expect(error?.description.hasPrefix("PostgreSQL runs with fsync=off and full_page_writes=off, so") == true)
        }
    }

    /// The query of the foreign key when a batch is deleted.
    @Test func deferredBatchesAreFoundByAnIndex() async throws {
        try await StoreFixture.run { fixture in
            let plan = try await fixture.pool.transaction { connection in
                // The table is empty.
                try await connection.execute("SET LOCAL enable_seqscan = off")
                let rows = try await connection.query(
                    "EXPLAIN SELECT FROM batches WHERE \(Int64(1)) = app_id AND \(Int64(1)) = deferred_from")
                return try rows.map { try $0[0, as: String.self] }.joined(separator: " ")
            }
            #expect(plan.contains("batches_deferred_from"))
        }
    }

    @Test func databaseIsTiedToItsFirstKey() async throws {
        try await StoreFixture.run { fixture in
            let instance = fixture.stores.instance
            try await instance.verify(fixture.sealingKeys)
            try await instance.verify(fixture.sealingKeys)

            let other = try SealingKeyRing(text: String(repeating: "ab", count: 32))
            let (missing, present) = (fixture.sealingKeys.current.id, other.current.id)
            let error = await #expect(throws: SealingKeyError.self) { try await instance.verify(other) }
            #expect(error == .wrongKey(missing: missing, present: [present]))
            #expect(error?.description.contains("\(missing)") == true)
            #expect(try await instance.schema().number >= 1)
        }
    }
}
