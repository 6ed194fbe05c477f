import BelfryCore
import Foundation
import Testing

/// What happened on the phones in a run, as the server has to count it.
struct Truth {
    /// The events with the installations of their phones.
    private let events: [(installation: String, event: Phone.Counted)]

    init(_ phones: [Phone], of pushes: [Int: Push]) async throws {
        let messages = Set(pushes.values.compactMap(\.messageID))
        var events: [(String, Phone.Counted)] = []
        for phone in phones {
            let installation = try #require(await phone.installation)
            events += await phone.events.filter { messages.contains($0.messageID) }.map { (installation, $0) }
        }
        self.events = events
    }

    /// By the names of the statistics. Each event proves that the push was delivered.
    var counts: [String: Double] {
        func count(_ kind: Event.Kind) -> Int { events.filter { $0.event.kind == kind }.count }
        func messages(_ kinds: Set<Event.Kind>) -> Int {
            Set(events.filter { kinds.contains($0.event.kind) }.map(\.event.messageID)).count
        }
        let counts = [
            "delivered": Set(events.map(\.event.messageID)).count, "presented": count(.presented),
            "engaged": messages([.opened, .action, .text]), "opened": count(.opened),
            "influenced": count(.influenced), "actions": count(.action), "dismissed": count(.dismissed),
            "replies": count(.text), "conversions": count(.converted),
        ]
        let value = events.reduce(0) { $0 + ($1.event.value ?? 0) }
        return counts.mapValues(Double.init).merging(["conversion_value": value]) { $1 }
    }

    /// Each event as a line.
    var lines: [String] {
        events.map { installation, event in
            Self.line([installation, event.kind.rawValue, event.action, event.text], event.value)
        }.sorted()
    }

    /// The same lines by the rows of an export, without the deliveries that other events imply.
    static func lines(_ rows: [JSONValue]) -> [String] {
        rows.filter { $0["is_implied"] != .bool(true) }.map { row in
            line(["installation", "kind", "action", "text"].map { row[$0]?.string }, row["value"]?.double)
        }.sorted()
    }

    private static func line(_ texts: [String?], _ value: Double?) -> String {
        (texts.map { $0 ?? "" } + [value.map { "\($0)" } ?? ""]).joined(separator: "|")
    }
}
