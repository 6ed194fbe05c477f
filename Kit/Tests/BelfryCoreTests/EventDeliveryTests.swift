import Foundation
import Testing

@testable import BelfryCore

struct EventDeliveryTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func batchesEndAtOneThousandEvents() throws {
        #expect(try EventBatch.split(events(1_000)) == [0..<1_000])
        #expect(try EventBatch.split(events(1_001)) == [0..<1_000, 1_000..<1_001])
        #expect(try EventBatch.split([]).isEmpty)
    }

    @Test func noBatchIsLargerThanTheServerAccepts() throws {
        let long = events(200, text: String(repeating: "\u{1}é\"", count: 1_500))
        let batches = try EventBatch.split(long)

        #expect(batches.count > 1)
        #expect(batches.flatMap { Array($0) } == Array(0..<200))
        for batch in batches {
            #expect(try EventBatch.body(Array(long[batch]), sentAt: now).count <= EventBatch.maximumSize)
        }
    }

    // Segment's clients once sent the time of queueing, which made every offline event look corrected.
    @Test func sentAtIsTheTimeOfTheAttempt() throws {
        let body = try EventBatch.body(events(1), sentAt: now + 60)
        let object = try #require(JSONSerialization.jsonObject(with: body) as? [String: Any])
        #expect(object["sent_at"] as? String == "2027-01-15T08:01:00.000Z")
        let event = try #require((object["events"] as? [[String: Any]])?.first)
        #expect(event["message_id"] as? String == "0")
        #expect(event["kind"] as? String == "opened")
        #expect(event["at"] as? String == "2027-01-15T08:00:00.000Z")
        #expect(event.keys.sorted() == ["at", "kind", "message_id"])
    }

    @Test(arguments: 0..<13)
    func halvingDropsOnlyTheBadEvent(bad: Int) {
        var delivery = EventDelivery(batches: [0..<8, 8..<13])
        var removed: [Int] = []
        var dropped: [Int] = []
        while let next = delivery.next {
            switch delivery.received(next.contains(bad) ? .refused(reason: "invalid-body") : .accepted) {
            case .remove(let range): removed += range
            case .drop(let index, "invalid-body"): dropped.append(index)
            case .halve: break
            case .drop, .release, .nothing: Issue.record("unexpected action")
            }
        }
        #expect(dropped == [bad])
        #expect(removed == (0..<13).filter { $0 != bad })
    }

    @Test func timestampsAreThoseOfTheSystemsFormatter() {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        var random = SplitMix(state: 3)
        let days = (0..<2_000).map { _ in Double(Int.random(in: 0..<200_000, using: &random)) }
        // The ends of the range, leap days, and the ends of years and of a day.
        for day in [0, 59, 11_016, 11_017, 16_861, 47_540, 2_932_896] + days {
            let seconds = Double([0, 0.25, 86_399, 86_399.5, 43_200.125].randomElement(using: &random) ?? 0)
            let date = Date(timeIntervalSince1970: day * 86_400 + seconds)
            #expect(Event.timestamp(date) == formatter.string(from: date))
        }
        #expect(Event.timestamp(.distantPast) == "1970-01-01T00:00:00.000Z")
        #expect(Event.timestamp(Date(timeIntervalSince1970: .infinity)) == "9999-12-31T23:59:59.999Z")
        #expect(Event.timestamp(Date(timeIntervalSince1970: .nan)).count == 24)
    }

    @Test func outageReleasesEverythingAndEndsTheRound() {
        var delivery = EventDelivery(batches: [0..<2, 2..<4, 4..<5])
        #expect(delivery.received(.accepted) == .remove(0..<2))
        #expect(delivery.received(.postponed) == .release([2..<4, 4..<5]))
        #expect(delivery.next == nil)
        #expect(delivery.received(.accepted) == .nothing)
    }

    private func events(_ count: Int, text: String? = nil) -> [Event] {
        (0..<count).map { Event(messageID: "\($0)", kind: .opened, at: now, text: text) }
    }
}
