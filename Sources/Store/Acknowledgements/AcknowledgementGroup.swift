import Campaigns
import Postgres

/// The distinct events of a group of requests, sorted by key, with the request of each.
struct AcknowledgementGroup {
    struct Event: Comparable {
        let app: Int64
        let messageNumber: Int64
        let device: Int64
        let kind: Int16
        let time: EventTime
        let receivedAt: Timestamp
        /// The index of its request.
        let request: Int

        func isSame(as other: Event) -> Bool {
            app == other.app && isRow(other.messageNumber, other.device, other.kind)
        }

        func isRow(_ messageNumber: Int64, _ device: Int64, _ kind: Int16) -> Bool {
            self.messageNumber == messageNumber && self.device == device && self.kind == kind
        }

        var message: MessageStartCache.Key { MessageStartCache.Key(app: app, messageNumber: messageNumber) }

        static func < (left: Event, right: Event) -> Bool {
            if left.app != right.app { return left.app < right.app }
            if left.messageNumber != right.messageNumber { return left.messageNumber < right.messageNumber }
            if left.device != right.device { return left.device < right.device }
            if left.kind != right.kind { return left.kind < right.kind }
            return left.request < right.request
        }
    }

    let events: [Event]
    /// The number of repeated events, by request.
    private let repeated: [Int]

    init(_ requests: [AcknowledgementRequest]) {
        var all: [Event] = []
        all.reserveCapacity(requests.reduce(0) { $0 + $1.events.count })
        for (index, request) in requests.enumerated() {
            for event in request.events {
                all.append(
                    Event(
                        app: request.app.rawValue, messageNumber: event.messageNumber,
                        device: event.device.rawValue, kind: event.kind.rawValue, time: event.time,
                        receivedAt: request.receivedAt, request: index))
            }
        }
        all.sort()
        var events: [Event] = []
        events.reserveCapacity(all.count)
        var repeated = [Int](repeating: 0, count: requests.count)
        for event in all {
            if let last = events.last, last.isSame(as: event) {
                repeated[event.request] += 1
            } else {
                events.append(event)
            }
        }
        self.events = events
        self.repeated = repeated
    }

    /// The messages of events with a time of the device, which is checked against their starts.
    var timedMessages: Set<MessageStartCache.Key> {
        var messages: Set<MessageStartCache.Key> = []
        for event in events {
            if case .device = event.time { messages.insert(event.message) }
        }
        return messages
    }

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
        var counts = repeated.map { AcknowledgementCount(duplicates: $0) }
        for (event, wasStored) in zip(events, wereStored) {
            if wasStored { counts[event.request].stored += 1 } else { counts[event.request].duplicates += 1 }
        }
        return counts
    }
}
