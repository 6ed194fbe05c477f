import Campaigns
import Postgres
import Store
import StoreSupport
import Testing

struct DatabaseClockTests {
    @Test func clockUsesDatabaseTimeWithoutQueryingAgain() async throws {
        try await StoreFixture.run { fixture in
            let clock = fixture.stores.clock
            #expect(abs(clock.estimate - Int(Timestamp.now.secondsSince1970)) <= 30)
            let rows = try await fixture.pool.query("SELECT extract(epoch FROM clock_timestamp())::bigint")
            let there: Int = try rows[0][0]
            #expect(0...30 ~= (try await clock.now()) - there + 1)
            await fixture.pool.close()
            #expect(0...30 ~= (try await clock.now()) - there + 1)
        }
    }
}
