import Campaigns
import Postgres

/// The distinct events of a group of requests, sorted by key, with the request of each.
struct AcknowledgementGroup {
    struct Event: Comparable {
        let app: Int64
        let messageNumber: Int64
        let device: Int64
        let kind: Int16
        let moment: EventClock.Moment
        let details: EventDetails?
        /// The index of its request.
        let request: Int

        /// Part of the key.
        var action: String { details?.action ?? "" }

        func isSame(as other: Event) -> Bool {
            app == other.app && isRow(other.messageNumber, other.device, other.kind)
                && (details == nil && other.details == nil || action.utf8.elementsEqual(other.action.utf8))
        }

        func isRow(_ messageNumber: Int64, _ device: Int64, _ kind: Int16) -> Bool {
            self.messageNumber == messageNumber && self.device == device && self.kind == kind
        }

        static func < (left: Event, right: Event) -> Bool {
            if left.app != right.app { return left.app < right.app }
            if left.messageNumber != right.messageNumber { return left.messageNumber < right.messageNumber }
            if left.device != right.device { return left.device < right.device }
            if left.kind != right.kind { return left.kind < right.kind }
            if left.details != nil || right.details != nil {
                let (action, other) = (left.action.utf8, right.action.utf8)
                if !action.elementsEqual(other) { return action.lexicographicallyPrecedes(other) }
            }
            return left.request < right.request
        }
    }

    let events: [Event]
    /// Repeated and refused events, by request.
    private let counts: [AcknowledgementCount]

    /// `starts` has the start of each message that is still known.
    init(_ requests: [AcknowledgementRequest], starts: [MessageStartCache.Key: Timestamp]) {
        var all: [Event] = []
        all.reserveCapacity(requests.reduce(0) { $0 + $1.events.count })
        var counts = [AcknowledgementCount](repeating: AcknowledgementCount(), count: requests.count)
        for (index, request) in requests.enumerated() {
            for event in request.events {
                let start = starts[event.message(of: request.app)]
                switch request.clock.moment(of: event.time, start: start) {
                case .success(let moment):
                    all.append(
                        Event(
                            app: request.app.rawValue, messageNumber: event.messageNumber,
                            device: event.device.rawValue, kind: event.kind.rawValue, moment: moment,
                            details: event.details, request: index))
                case .failure(let reason):
                    counts[index].refused.append(RefusedEvent(index: event.index, reason: reason))
                }
            }
        }
        all.sort()
        var events: [Event] = []
        events.reserveCapacity(all.count)
        for event in all {
            if let last = events.last, last.isSame(as: event) {
                counts[event.request].duplicates += 1
            } else {
                events.append(event)
            }
        }
        self.events = events
        self.counts = counts
    }

    /// The messages of the requests.
    static func messages(of requests: [AcknowledgementRequest]) -> Set<MessageStartCache.Key> {
        var messages: Set<MessageStartCache.Key> = []
        for request in requests {
            var last: MessageStartCache.Key?
            for event in request.events {
                let message = event.message(of: request.app)
                if message != last { messages.insert(message) }
                last = message
            }
        }
        return messages
    }

    /// Whether any event has an action, a text or a value.
    var hasDetails: Bool { events.contains { $0.details != nil } }

    /// Each device once, in order.
    var devices: [(app: Int64, device: Int64)] {
        var devices = events.map { (app: $0.app, device: $0.device) }
        devices.sort { $0 < $1 }
        var distinct: [(app: Int64, device: Int64)] = []
        distinct.reserveCapacity(devices.count)
        for device in devices {
            if let last = distinct.last, last == device { continue }
            distinct.append(device)
        }
        return distinct
    }

    /// The counts by request. `wereStored` contains for each event whether it was new in the database.
    func counts(wereStored: [Bool]) -> [AcknowledgementCount] {
        var counts = counts
        for (event, wasStored) in zip(events, wereStored) {
            if wasStored { counts[event.request].stored += 1 } else { counts[event.request].duplicates += 1 }
        }
        return counts
    }
}

extension Acknowledgement {
    fileprivate func message(of app: App.ID) -> MessageStartCache.Key {
        MessageStartCache.Key(app: app.rawValue, messageNumber: messageNumber)
    }
}
