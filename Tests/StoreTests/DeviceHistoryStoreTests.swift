import Campaigns
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct DeviceHistoryStoreTests {
    /// Pages of runs and pushes in turn, over several ranges of message numbers.
    @Test(arguments: [1, 2, 3, 7, 50])
    func pagesHaveEachPushOnceWithTheNewestFirst(_ limit: Int) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let pushes = fixture.stores.pushes(owner: ProcessID())
            func push() async throws {
                let number = try await pushes.messageNumbers(1)[0]
                _ = try await pushes.insert(
                    [
                        PushBatch(
                            app: app.id, environment: .production, messageNumber: number, messageKeyVersion: 1,
                            recipients: [1, 2], outcomes: [10, 10])
                    ], keeping: [], lease: .seconds(60))
            }
            for week in 1...4 {
                for _ in 0..<week { try await push() }
                _ = try await fixture.batch(
                    of: fixture.run(of: campaign), app: app.id, first: 1, outcomes: [1, 1])
                try await push()
                try await fixture.pool.execute("UPDATE runs SET state = 'finished', finished_at = now()")
                try await fixture.pool.execute(
                    """
                    UPDATE message_ranges SET opened_at = now() - interval '8 days'
                    WHERE first_number = (SELECT max(first_number) FROM message_ranges WHERE opened_at IS NOT NULL)
                    """)
                try await MessageRangeStore(pool: fixture.pool).maintain()
            }
            let expected = try await fixture.pool.query("SELECT id FROM batches ORDER BY id DESC").map {
                try $0[0, as: Int64.self]
            }
            #expect(expected.count == 18)

            var found: [DeviceDelivery] = []
            while true {
                let page = try await fixture.stores.deviceHistory.deliveries(
                    of: Device.ID(rawValue: 1), app: app.id, before: found.last?.batch, limit: limit)
                found += page
                guard page.count == limit else { break }
            }
            #expect(found.map(\.batch) == expected)
            #expect(found.count { $0.run != nil } == 4)
        }
    }

    /// A list that can't have the device says what was read. A retirement may commit late, so the next hour's lists are read.
    @Test func listsOfRunsLongAfterTheRetirementAreNotRead() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let registered = try await fixture.stores.registrations.store([
                Registration.make("phone", token: "01", app: app.id)
            ])
            let device = try #require(registered[0].id)
            let campaign = try await fixture.campaign(of: app, state: .sending)
            func send() async throws -> Run.ID {
                let run = try await fixture.run(of: campaign)
                try await fixture.batch(of: run, app: app.id, first: device.rawValue, outcomes: [1])
                try await fixture.pool.execute("UPDATE runs SET state = 'finished', finished_at = now()")
                return run
            }
            func runs() async throws -> [Run.ID?] {
                try await fixture.stores.deviceHistory.deliveries(of: device, app: app.id, before: nil, limit: 9)
                    .map(\.run)
            }
            func retire(_ ago: String) async throws {
                try await fixture.pool.execute(
                    """
                    UPDATE devices SET token = NULL, retired_reason = 1,
                        retired_at = now() - interval '\(unescaped: ago)'
                    """)
            }
            let before = try await send()
            try await fixture.pool.execute("UPDATE runs SET started_at = now() - interval '1 day'")
            let after = try await send()

            try await retire("10 minutes")
            #expect(try await runs() == [after, before])
            try await retire("2 hours")
            #expect(try await runs() == [before])
            try await fixture.pool.execute(
                "UPDATE devices SET token = '\\x01', retired_at = NULL, retired_reason = NULL")
            #expect(try await runs() == [after, before])
        }
    }
}
