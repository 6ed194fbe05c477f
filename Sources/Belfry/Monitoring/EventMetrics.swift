import Campaigns
import Metrics
import OpenMetrics
import Store

/// Counts the events of pushes, once for each group that is stored.
struct EventMetrics: Sendable {
    private let kinds: [EventKind: Counter]
    private let repeated: Counter
    private let refused: [EventClock.Refusal: Counter]
    private let forged: Counter
    private let age: Timer

    init(_ registry: MetricRegistry) {
        func refusal(_ reason: String) -> Counter {
            Counter(label: "belfry_events_refused", dimensions: [("reason", reason)], factory: registry)
        }
        kinds = Dictionary(
            uniqueKeysWithValues: EventKind.reported.map { kind in
                (kind, Counter(label: "belfry_events", dimensions: [("kind", kind.name)], factory: registry))
            })
        repeated = Counter(label: "belfry_events_repeated", factory: registry)
        refused = [.beforeStart: refusal("before-start"), .tooLate: refusal("too-late")]
        forged = refusal("unknown-message")
        age = Timer(label: "belfry_event_age_seconds", factory: registry)
    }

    func add(_ requests: [AcknowledgementRequest], _ counts: [AcknowledgementCount]) {
        var received: [EventKind: Int] = [:]
        for request in requests {
            for event in request.events { received[event.kind, default: 0] += 1 }
            forged.increment(by: request.forged)
            if let age = request.age { self.age.record(duration: age) }
        }
        for (kind, count) in received { kinds[kind]?.increment(by: count) }
        for count in counts {
            repeated.increment(by: count.duplicates)
            for event in count.refused { refused[event.reason]?.increment() }
        }
    }
}
