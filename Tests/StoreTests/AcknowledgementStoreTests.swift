import Campaigns
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

struct AcknowledgementStoreTests {
    private func event(
        _ device: Int64, _ kind: EventKind = .delivered, number: Int64 = 1, at time: Timestamp? = nil
    ) -> Acknowledgement {
        Acknowledgement(
            messageNumber: number, device: Device.ID(rawValue: device), kind: kind,
            time: time.map { .device($0) } ?? .receipt)
    }

    @Test func eventsAreStoredOnceAndCountedPerRequest() async throws {
        try await DeviceFixture.run { bench in
            let store = bench.acknowledgements
            let first = try await store.store([
                AcknowledgementRequest(app: bench.app, events: [event(2), event(1), event(1)]),
                AcknowledgementRequest(app: bench.app, events: [event(1), event(1, .opened)]),
            ])
            #expect(
                first == [
                    AcknowledgementCount(stored: 2, duplicates: 1), AcknowledgementCount(stored: 1, duplicates: 1),
                ])
            let second = try await store.store([
                AcknowledgementRequest(app: bench.app, events: [event(3), event(1), event(2, .opened), event(2)])
            ])
            #expect(second == [AcknowledgementCount(stored: 2, duplicates: 2)])
            let count: Int = try await bench.pool.query("SELECT count(*) FROM events")[0][0]
            #expect(count == 5)
        }
    }

    @Test func timesOutsideOfTheRunBecomeTheTimeOfReceipt() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            let row = try await fixture.pool.query("SELECT message_number, started_at FROM runs WHERE id = \(run)")[0]
            let (number, start): (Int64, Timestamp) = (try row[0], try row[1])
            let times = [start - .milliseconds(1), start, start + .seconds(3_600)]
            let events = times.enumerated().map { event(Int64($0 + 1), number: number, at: $1) }
            _ = try await AcknowledgementStore(pool: fixture.pool).store([
                AcknowledgementRequest(app: app.id, events: events)
            ])

            let rows = try await fixture.pool.query(
                "SELECT happened_at = received_at, is_time_corrected FROM events ORDER BY device_id")
            #expect(try rows.map { try $0[0] as Bool } == [true, false, true])
            #expect(try rows.map { try $0[1] as Bool } == [true, false, true])
        }
    }

    @Test func acknowledgingDeviceIsSeenOnceADay() async throws {
        try await DeviceFixture.run { bench in
            let outcome = try await bench.registrations.store([Registration.make("i1", app: bench.app)])
            let device = try #require(outcome[0].id)
            try await bench.pool.execute("UPDATE device_activity SET last_seen_at = now() - interval '25 hours'")
            let request = AcknowledgementRequest(app: bench.app, events: [event(device.rawValue)])
            _ = try await bench.acknowledgements.store([request])
            let version: PostgresQuery =
                "SELECT ctid::text FROM device_activity WHERE last_seen_at > now() - interval '1 hour'"
            let seenVersion: String = try #require(try await bench.pool.query(version).first)[0]
            _ = try await bench.acknowledgements.store([
                AcknowledgementRequest(app: bench.app, events: [event(device.rawValue, .opened)])
            ])
            #expect(try await bench.pool.query(version)[0][0] as String == seenVersion)
        }
    }

    @Test(arguments: [
        (EventTime.receipt, nil, nil, false), (.unreadable, 50, nil, true),
        (.device(Timestamp(microseconds: 50)), 50, 50, false), (.device(Timestamp(microseconds: 49)), 50, nil, true),
        (.device(Timestamp(microseconds: 100)), 50, 100, false), (.device(Timestamp(microseconds: 101)), 50, nil, true),
    ])
    func impossibleTimesBecomeTheTimeOfReceipt(
        _ time: EventTime, _ sentSince: Int64?, _ happenedAt: Int64?, _ isCorrected: Bool
    ) {
        let stored = StoredEventTime(
            time, sentSince: sentSince.map { Timestamp(microseconds: $0) }, now: Timestamp(microseconds: 100))
        #expect(stored.happenedAt == happenedAt.map { Timestamp(microseconds: $0) })
        #expect(stored.isCorrected == isCorrected)
    }

    @Test func timeOfADeletedMessageIsLimitedToTheLastThirtyDays() {
        let now = Timestamp(microseconds: 1_800_000_000_000_000)
        let oldest = now - StoredEventTime.maximumAge
        #expect(StoredEventTime(.device(oldest), sentSince: nil, now: now).happenedAt == oldest)
        let older = StoredEventTime(.device(oldest - .microseconds(1)), sentSince: nil, now: now)
        #expect(older.happenedAt == nil && older.isCorrected)
    }
}
