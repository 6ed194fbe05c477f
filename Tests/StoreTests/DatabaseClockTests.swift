import Campaigns
import Postgres
import StoreSupport
import Testing

@testable import Store

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

    /// Otherwise recipients would expire too early, and nothing takes that back.
    @Test func clockThatIsSuddenlyAheadIsNotBelievedAtOnce() async throws {
        try await StoreFixture.run { fixture in
            let there = try await fixture.stores.forecasts.now()
            let clock = DatabaseClock(pool: fixture.pool, assuming: Double(there - 7_200))
            #expect(0...30 ~= (try await clock.now()) - (there - 7_200) + 1)
        }
    }
}
