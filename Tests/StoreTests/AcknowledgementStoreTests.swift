import Campaigns
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

struct AcknowledgementStoreTests {
    private func event(
        _ device: Int64, _ kind: EventKind = .delivered, number: Int64 = 1, at time: Timestamp? = nil, index: Int = 0,
        _ details: EventDetails? = nil
    ) -> Acknowledgement {
        Acknowledgement(
            index: index, messageNumber: number, device: Device.ID(rawValue: device), kind: kind,
            time: time.map { .device($0) } ?? .receipt, details: details)
    }

    /// The push that the events are about: analysts see no events of test pushes, which have no batch.
    private func addPush(_ bench: DeviceFixture) async throws {
        try await bench.pool.execute(
            """
            INSERT INTO batches (app_id, message_number, message_key_version, first_id, last_id, size, pending, accepted,
                sent_through, environment, outcomes, recipients, state)
            VALUES (\(bench.app), 1, 1, 1, 1, 1, 0, 1, 1, 0, '\\x01', '{1}', 'done')
            """)
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
            let count: Int = try await bench.pool.query("SELECT count(*) FROM events WHERE NOT is_implied")[0][0]
            #expect(count == 5)
        }
    }

    @Test func everyPushWithAnEventHasOneDelivery() async throws {
        try await DeviceFixture.run { bench in
            let first = [event(1, .opened), event(2, .dismissed), event(2, .opened), event(3, .opened), event(3)]
            let counts = try await bench.acknowledgements.store([AcknowledgementRequest(app: bench.app, events: first)])
            #expect(counts == [AcknowledgementCount(stored: 5)])
            // The report of a delivery that is known already is a repetition.
            let late = try await bench.acknowledgements.store([
                AcknowledgementRequest(app: bench.app, events: [event(1), event(1, .influenced)])
            ])
            #expect(late == [AcknowledgementCount(stored: 1, duplicates: 1)])
            try await addPush(bench)
            let rows = try await bench.pool.query(
                "SELECT device_id, is_implied FROM bi.acknowledgements WHERE kind = 'delivered' ORDER BY device_id")
            #expect(try rows.map { try $0[0] as Int64 } == [1, 2, 3])
            #expect(try rows.map { try $0[1] as Bool } == [true, true, false])
        }
    }

    @Test func anOpeningAnActionAndAReplyMakeADeviceEngagedOnce() async throws {
        try await DeviceFixture.run { bench in
            let early = Timestamp(microseconds: Timestamp.now.microseconds - 60_000_000)
            let first = [
                event(1, .opened), event(1, .action, at: early, EventDetails(action: "book")), event(2, .dismissed),
                event(3, .action, EventDetails(action: "book")), event(4, .text, EventDetails(text: "Yes")),
            ]
            let counts = try await bench.acknowledgements.store([AcknowledgementRequest(app: bench.app, events: first)])
            #expect(counts == [AcknowledgementCount(stored: 5)])
            let later = [event(1, .text, EventDetails(text: "No")), event(3, .opened), event(2, .influenced)]
            _ = try await bench.acknowledgements.store([AcknowledgementRequest(app: bench.app, events: later)])

            let rows = try await bench.pool.query(
                "SELECT device_id, is_implied FROM events WHERE kind = \(EventKind.engaged) ORDER BY device_id")
            #expect(try rows.map { try $0[0] as Int64 } == [1, 3, 4])
            #expect(try rows.allSatisfy { try $0[1] as Bool })
            try await addPush(bench)
            let reported: Int = try await bench.pool.query(
                "SELECT count(*) FROM bi.acknowledgements WHERE kind IS NULL OR kind = 'engaged'")[0][0]
            #expect(reported == 0)
        }
    }

    /// A look-up in all partitions would lock them all, and wait for one that is being dropped.
    @Test func newEventsDoNotWaitForAnOldPartition() async throws {
        try await DeviceFixture.run { bench in
            let number = MessageRangeStore.width + 5
            let counts = try await bench.pool.transaction { connection in
                try await connection.execute("LOCK TABLE \(MessageRangePart.events.partition(1))")
                return try await bench.acknowledgements.store([
                    AcknowledgementRequest(app: bench.app, events: [event(1, .opened, number: number)])
                ])
            }
            #expect(counts == [AcknowledgementCount(stored: 1)])
        }
    }

    @Test func twoProcessesThatStoreTheSameEventsCountThemOnce() async throws {
        try await DeviceFixture.run { bench in
            let requests = (0..<20).map { request in
                let events = (1...200).map { number -> Acknowledgement in
                    let kind: EventKind = number % 3 == request % 3 ? .opened : .delivered
                    return event(Int64(number * 7 % 211), kind)
                }
                return AcknowledgementRequest(app: bench.app, events: events)
            }
            let stores = [AcknowledgementStore(pool: bench.pool), AcknowledgementStore(pool: bench.pool)]
            let stored = try await withThrowingTaskGroup(of: Int.self) { group in
                for (number, request) in requests.enumerated() {
                    let next = requests[(number + 1) % 20]
                    for store in stores {
                        group.addTask { try await store.store([request, next]).reduce(0) { $0 + $1.stored } }
                    }
                }
                return try await group.reduce(0, +)
            }
            let row = try await bench.pool.query(
                "SELECT count(*), count(*) FILTER (WHERE NOT is_implied), count(DISTINCT device_id) FROM events")[0]
            // A delivery, an opening and an engagement of each device.
            #expect(try row[0] as Int == 600 && row[1] as Int == stored && row[2] as Int == 200)
        }
    }

    @Test func eachActionAndConversionIsAnEventOfItsOwn() async throws {
        try await DeviceFixture.run { bench in
            let yes = event(1, .action, EventDetails(action: "yes"))
            let events = [
                yes, event(1, .action, EventDetails(action: "no")), yes,
                event(1, .text, EventDetails(text: "Grüße")),
                event(1, .converted, EventDetails(action: "purchase", valueMillionths: 19_990_001)),
                event(1, .converted, EventDetails(action: "purchase", valueMillionths: 1)),
                event(1, .dismissed), event(1, .presented),
            ]
            let counts = try await bench.acknowledgements.store([AcknowledgementRequest(app: bench.app, events: events)]
            )
            #expect(counts == [AcknowledgementCount(stored: 6, duplicates: 2)])
            try await addPush(bench)
            let rows = try await bench.pool.query(
                """
                SELECT concat_ws(' ', kind, action, text, value) FROM bi.acknowledgements
                WHERE NOT is_implied ORDER BY kind, action
                """)
            #expect(
                try rows.map { try $0[0] as String } == [
                    "action no", "action yes", "converted purchase 19.990001", "dismissed ", "presented ",
                    "text  Grüße",
                ])
        }
    }

    @Test func largestValuesAreStoredAndAddedUpExactly() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            let number: Int64 = try await fixture.pool.query("SELECT message_number FROM run_variants")[0][0]
            let events = (0..<20).map { index in
                event(
                    1, .converted, number: number, index: index,
                    EventDetails(action: "buy \(index)", valueMillionths: 999_999_999_999_000_001))
            }
            _ = try await fixture.stores.acknowledgements.store([AcknowledgementRequest(app: app.id, events: events)])
            let sum = "19999999999980.00002"
            let stored: String = try await fixture.pool.query("SELECT trim_scale(sum(value))::text FROM events")[0][0]
            let counts = fixture.stores.statistics
            let total = try await counts.totals(app: app.id, .init(), by: .total).first?.counts
            let minutes = try await counts.series(
                app: app.id, run: run, unit: .minute, zone: ZoneClock(fixed: 0), since: .now - .seconds(600),
                until: .now)
            #expect(stored == sum && total?.conversionValue == sum && minutes.first?.counts.conversionValue == sum)
            let other = try await counts.series(
                app: app.id, campaigns: [], run: run, unit: .minute, zone: ZoneClock(fixed: 0),
                since: .now - .seconds(600),
                until: .now)
            #expect(other.isEmpty)
        }
    }

    @Test func eventsAreReadInStepsWhateverMatches() async throws {
        try await StoreFixture.run { fixture in
            let record = try await fixture.app()
            let app = record.id
            _ = try await fixture.run(of: fixture.campaign(of: record, state: .sending))
            let number: Int64 = try await fixture.pool.query("SELECT message_number FROM run_variants")[0][0]
            // Those of test pushes are not among them: their pushes have neither a run nor a batch.
            let events = (1...9).map { event($0, $0 % 4 == 0 ? .presented : .delivered, number: number) }
            let ofTests = (1...5).map { event($0, .presented, number: number + 500) }
            _ = try await fixture.stores.acknowledgements.store([
                AcknowledgementRequest(app: app, events: events + ofTests)
            ])
            let store = EventStore(pool: fixture.pool)
            for (kind, devices): (EventKind?, [Int64]) in [(.presented, [4, 8]), (.opened, []), (.dismissed, [])] {
                for (since, isEmpty) in [(nil, false), (Timestamp.now + .seconds(60), true)] {
                    var filter = EventFilter()
                    filter.kind = kind
                    filter.since = since
                    var (found, position): ([Int64], EventPosition?) = ([], nil)
                    repeat {
                        let page = try await store.events(app: app, filter, after: position, scanning: 3)
                        found += page.events.map(\.position.device.rawValue)
                        position = page.next
                    } while position != nil
                    #expect(found == (isEmpty ? [] : devices))
                }
            }
        }
    }

    @Test func deferredRecipientsDoNotChangeTheDelaysOfOthers() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            let first = try await fixture.batch(of: run, app: app.id, outcomes: [1, 2, 1, 2, 1])
            let later = try await fixture.batch(of: run, app: app.id, first: 2, outcomes: [1, 1], deferredFrom: first)
            try await fixture.pool.execute("UPDATE runs SET started_at = now() - interval '1 hour'")
            try await fixture.pool.execute(
                """
                UPDATE batches SET ended_at = now() - CASE id WHEN \(later) THEN interval '1 minute'
                    ELSE interval '30 minutes' END
                """)
            let number: Int64 = try await fixture.pool.query("SELECT message_number FROM run_variants")[0][0]
            let request = AcknowledgementRequest(app: app.id, events: [event(3, .opened, number: number)])
            _ = try await fixture.stores.acknowledgements.store([request])
            let delay: Int32 = try await fixture.pool.query("SELECT delay_seconds FROM events WHERE kind = 3")[0][0]
            #expect(1_790...1_900 ~= delay)
        }
    }

    @Test func timesOfTheDeviceAreCheckedAgainstTheRun() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            let row = try await fixture.pool.query(
                "SELECT message_number, started_at FROM runs r JOIN run_variants ON run_id = r.id WHERE id = \(run)")[0]
            let (number, start): (Int64, Timestamp) = (try row[0], try row[1])
            let times = [start - .seconds(3_600), start, start + .seconds(30)]
            let events = times.enumerated().map { event(Int64($0 + 1), number: number, at: $1, index: $0) }
            let store = AcknowledgementStore(pool: fixture.pool)
            let now = start + .seconds(60)
            let clocks = [
                EventClock(receivedAt: now), EventClock(receivedAt: now, sentAt: now),
                EventClock(receivedAt: start + EventClock.maximumAge + .seconds(1)),
            ]
            var refused: [[RefusedEvent]] = []
            for clock in clocks {
                let request = AcknowledgementRequest(app: app.id, events: events, clock: clock)
                refused += try await store.store([request]).map(\.refused)
            }
            #expect(
                refused == [
                    [], [RefusedEvent(index: 0, reason: .beforeStart)],
                    (0..<3).map { RefusedEvent(index: $0, reason: .tooLate) },
                ])
            let rows = try await fixture.pool.query(
                "SELECT happened_at = received_at, is_time_corrected FROM events ORDER BY device_id")
            #expect(try rows.map { try $0[0] as Bool } == [true, false, false])
            #expect(try rows.map { try $0[1] as Bool } == [true, false, false])
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
}
