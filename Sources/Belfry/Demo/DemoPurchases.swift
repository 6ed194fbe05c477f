import Foundation
import HTTPTypes
import JSON

/// Purchases after the demo's campaign with a control group: some people buy anyway, and more of the recipients do.
struct DemoPurchases {
    let api: APIClient
    let path: String

    /// Recipients of one page, and so the events of one request.
    private static let page = 200
    /// The hours after the push in which people buy.
    private static let hours = 48

    func make(after campaign: String) async throws {
        let runs = try await api.send(.get, "\(path)/campaigns/\(campaign)/runs")
        guard let run = runs["data"]?.elements.first?["id"]?.text else { return }
        var cursor: String?
        var (place, isKnown) = (0, false)
        repeat {
            let address = "\(path)/runs/\(run)/deliveries?limit=\(Self.page)" + (cursor.map { "&cursor=\($0)" } ?? "")
            let list = try await api.send(.get, address)
            var events: [JSON] = []
            for delivery in list["data"]?.elements ?? [] {
                place += 1
                if let event = event(delivery, place) { events.append(event) }
            }
            if !isKnown, !events.isEmpty {
                try await introduce(events.removeFirst())
                isKnown = true
            }
            if !events.isEmpty { try await report(events) }
            cursor = list["next_cursor"]?.text
        } while cursor != nil
    }

    private func report(_ events: [JSON]) async throws {
        _ = try await api.send(.post, "\(path)/custom-events", ["events": .array(events)])
    }

    /// A name becomes known by its first event. From then on, its events count as conversions.
    private func introduce(_ event: JSON) async throws {
        try await report([event])
        _ = try await api.send(
            .patch, "\(path)/custom-event-names/\(DemoContent.bought)",
            ["description": "Somebody bought tickets; the value is their price.", "conversion_days": 3])
    }

    /// Nil if this person buys nothing. Spread over the people, and the same in each demo of this size.
    private func event(_ delivery: JSON, _ place: Int) -> JSON? {
        guard let installation = delivery["installation"]?.text, let due = delivery["due_at"]?.text,
            let time = try? Date(String(due.prefix(19)) + "Z", strategy: .iso8601)
        else { return nil }
        let isControl = delivery["reason"]?.text == "control group"
        let buyers = isControl ? DemoContent.buyers.without : DemoContent.buyers.withPush
        // A multiplicative hash: neighbours differ.
        let drawn = place &* 2_654_435_761 >> 8 & 0xffff
        guard drawn % 1_000 < buyers else { return nil }
        let moment = time + Double(drawn % Self.hours + 1) * 3_600
        return [
            "id": .string(UUID().uuidString.lowercased()), "name": .string(DemoContent.bought),
            "installation": .string(installation), "at": .string(moment.ISO8601Format()), "value": 80,
        ]
    }
}
