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
        Acknowledgement(messageNumber: number, device: Device.ID(rawValue: device), kind: kind, happenedAt: time)
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

    @Test func deviceTimesAreLimitedToTheLastThirtyDays() {
        let now = Timestamp(microseconds: 1_800_000_000_000_000)
        func clamped(_ time: Timestamp?) -> Timestamp {
            Acknowledgement(
                messageNumber: 1, device: Device.ID(rawValue: 1), kind: .opened, happenedAt: time, now: now
            ).happenedAt
        }
        let oldest = now - Acknowledgement.maximumAge
        #expect(clamped(nil) == now)
        #expect(clamped(now) == now)
        #expect(clamped(now + .microseconds(1)) == now)
        #expect(clamped(oldest) == oldest)
        #expect(clamped(oldest - .microseconds(1)) == oldest)
    }
}
