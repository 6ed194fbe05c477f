import Campaigns
import Postgres
import StoreSupport
import Testing

@testable import Store

struct MessageRangeStoreTests {
    private static func ranges(_ pool: PostgresPool) async throws -> [String] {
        try await pool.query(
            """
            SELECT concat_ws(' ', first_number, last_number, opened_at IS NOT NULL) FROM message_ranges ORDER BY first_number
            """
        ).map { try $0[0] }
    }

    @Test func supplyCountsTheRangesThatHaveBothPartitions() async throws {
        try await DeviceFixture.run { bench in
            let store = bench.stores.messageRanges
            #expect(try await store.supply() == .init(hasCurrent: true, ahead: 2, wanted: 2))
            let last = 2 * MessageRangeStore.width
            try await bench.pool.execute("DROP TABLE push_recipients_\(unescaped: "\(last)")")
            #expect(try await store.supply() == .init(hasCurrent: true, ahead: 1, wanted: 2))
            _ = try await bench.pool.query("SELECT setval('message_numbers', \(last + 1))")
            #expect(try await store.supply() == .init(hasCurrent: false, ahead: 0, wanted: 2))
        }
    }

    @Test func rangeIsReplacedAfterAWeekAndLaterOnesAreReady() async throws {
        try await DeviceFixture.run { bench in
            let store = bench.stores.messageRanges
            let width = MessageRangeStore.width
            let first = ["1 \(width - 1) t", "\(width) \(2 * width - 1) f", "\(2 * width) \(3 * width - 1) f"]
            try await store.maintain()
            #expect(try await Self.ranges(bench.pool) == first)
            try await bench.pool.execute(
                "UPDATE message_ranges SET opened_at = now() - interval '8 days' WHERE first_number = 1")
            try await store.maintain()
            try await store.maintain()
            #expect(
                try await Self.ranges(bench.pool) == [
                    first[0], "\(width) \(2 * width - 1) t", first[2], "\(3 * width) \(4 * width - 1) f",
                ])
            let number: Int64 = try await bench.pool.query("SELECT nextval('message_numbers')")[0][0]
            #expect(number == width)
            try await bench.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
                SELECT 1, number, 1, 1, now() FROM unnest(\([1, number, 3 * width])) AS number
                """)
            let tables = try await bench.pool.query(
                "SELECT tableoid::regclass::text FROM events ORDER BY message_number")
            #expect(try tables.map { try $0[0] } == ["events_1", "events_\(width)", "events_\(3 * width)"])
        }
    }

    /// Nothing is sent between the first look and the second.
    @Test func rangeIsOpenedOnceAWeekHoweverOftenProcessesLook() async throws {
        try await DeviceFixture.run { bench in
            for week in 1...4 as ClosedRange<Int64> {
                try await bench.pool.execute(
                    "UPDATE message_ranges SET opened_at = opened_at - interval '8 days' WHERE opened_at IS NOT NULL")
                for _ in 0..<3 { try await bench.stores.messageRanges.maintain() }
                let number: Int64 = try await bench.pool.query("SELECT nextval('message_numbers')")[0][0]
                #expect(number == week * MessageRangeStore.width)
            }
        }
    }

    @Test func numbersThatWereSetBackGoOnInARangeThatHasNone() async throws {
        try await DeviceFixture.run { bench in
            let width = MessageRangeStore.width
            _ = try await bench.pool.query("SELECT setval('message_numbers', \(2 * width + 5))")
            try await bench.stores.messageRanges.maintain()
            _ = try await bench.pool.query("SELECT setval('message_numbers', \(width), false)")
            try await bench.stores.messageRanges.maintain()
            let number: Int64 = try await bench.pool.query("SELECT nextval('message_numbers')")[0][0]
            #expect(number == 3 * width)
            let open: Int64 = try await bench.pool.query(
                "SELECT max(first_number) FROM message_ranges WHERE opened_at IS NOT NULL")[0][0]
            #expect(open == number)
        }
    }

    @Test func numbersThatRunIntoTheNextRangeOpenIt() async throws {
        try await DeviceFixture.run { bench in
            let width = MessageRangeStore.width
            _ = try await bench.pool.query("SELECT setval('message_numbers', \(width + 5))")
            try await bench.stores.messageRanges.maintain()
            let open = try await bench.pool.query(
                "SELECT max(first_number) FROM message_ranges WHERE opened_at IS NOT NULL")
            #expect(try open[0][0] == width)
        }
    }

    @Test func processesMaintainTogether() async throws {
        try await DeviceFixture.run { bench in
            try await bench.pool.execute(
                "UPDATE message_ranges SET opened_at = now() - interval '8 days' WHERE first_number = 1")
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 { group.addTask { try await bench.stores.messageRanges.maintain() } }
                try await group.waitForAll()
            }
            #expect(try await Self.ranges(bench.pool).count == 4)
        }
    }
}
