import Campaigns
import Postgres

/// The distinct events of a group of requests, sorted by key, with the request of each.
struct AcknowledgementGroup {
    struct Event: Comparable {
        let app: Int64
        let messageNumber: Int64
        let device: Int64
        let kind: EventKind
        /// Nil for test pushes.
        let message: SentMessage?
        let moment: EventClock.Moment
        let details: EventDetails?
        /// The index of its request.
        let request: Int
        /// A delivery or engagement that no device reported, but that another event of the push proves.
        var isImplied = false

        /// Part of the key.
        var action: String { details?.action ?? "" }

        func isSame(as other: Event) -> Bool {
            isOfPush(of: other) && kind == other.kind
                && (details == nil && other.details == nil || action.utf8.elementsEqual(other.action.utf8))
        }

        /// Whether the event is known to have happened earlier, or at the same time. Without a time, it happens now.
        func happened(before other: Event) -> Bool {
            guard let own = moment.happenedAt else { return other.moment.happenedAt == nil }
            return other.moment.happenedAt.map { own <= $0 } ?? true
        }

        func isOfPush(of other: Event) -> Bool {
            app == other.app && messageNumber == other.messageNumber && device == other.device
        }

        /// Every push with an event has a delivery too, so that deliveries can be counted.
        var impliedDelivery: Event? {
            kind == .delivered ? nil : implied(.delivered)
        }

        /// An opening, an action or a reply also stores that the person is engaged, which is counted once per push.
        var impliedEngagement: Event? {
            kind.isEngagement ? implied(.engaged) : nil
        }

        private func implied(_ kind: EventKind) -> Event {
            Event(
                app: app, messageNumber: messageNumber, device: device, kind: kind, message: message,
                moment: moment, details: nil, request: request, isImplied: true)
        }

        static func < (left: Event, right: Event) -> Bool {
            if left.app != right.app { return left.app < right.app }
            if left.messageNumber != right.messageNumber { return left.messageNumber < right.messageNumber }
            if left.device != right.device { return left.device < right.device }
            if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
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

    /// `messages` has those that are recorded.
    init(_ requests: [AcknowledgementRequest], messages: [MessageCache.Key: SentMessage]) {
        var all: [Event] = []
        all.reserveCapacity(requests.reduce(0) { $0 + $1.events.count })
        var counts = [AcknowledgementCount](repeating: AcknowledgementCount(), count: requests.count)
        for (index, request) in requests.enumerated() {
            for event in request.events {
                let message = messages[event.message(of: request.app)]
                switch request.clock.moment(of: event.time, start: message?.start) {
                case .success(let moment):
                    all.append(
                        Event(
                            app: request.app.rawValue, messageNumber: event.messageNumber,
                            device: event.device.rawValue, kind: event.kind, message: message, moment: moment,
                            details: event.details, request: index))
                case .failure(let reason):
                    counts[index].refused.append(RefusedEvent(index: event.index, reason: reason))
                }
            }
        }
        all.sort()
        var events: [Event] = []
        events.reserveCapacity(all.count)
        /// Of the push whose events are being read. Its kind is the last of the key.
        var engagement: Event?
        for event in all {
            let last = events.last
            if let last, last.isSame(as: event) {
                counts[event.request].duplicates += 1
                continue
            }
            if last?.isOfPush(of: event) != true {
                if let engagement { events.append(engagement) }
                engagement = nil
                if let delivery = event.impliedDelivery { events.append(delivery) }
            }
            events.append(event)
            if let implied = event.impliedEngagement, engagement?.happened(before: implied) != true {
                engagement = implied
            }
        }
        if let engagement { events.append(engagement) }
        self.events = events
        self.counts = counts
    }

    /// The messages of the requests.
    static func messages(of requests: [AcknowledgementRequest]) -> Set<MessageCache.Key> {
        var messages: Set<MessageCache.Key> = []
        for request in requests {
            var last: MessageCache.Key?
            for event in request.events {
                let message = event.message(of: request.app)
                if message != last { messages.insert(message) }
                last = message
            }
        }
        return messages
    }

    /// True if any event has an action, a text or a value.
    var hasDetails: Bool { events.contains { $0.details != nil } }

    /// By request.
    var refusals: [[RefusedEvent]] { counts.map(\.refused) }

    /// The counts by request. `wereStored` contains for each event whether it was new in the database.
    func counts(wereStored: [Bool]) -> [AcknowledgementCount] {
        var counts = counts
        for (event, wasStored) in zip(events, wereStored) where !event.isImplied {
            if wasStored { counts[event.request].stored += 1 } else { counts[event.request].duplicates += 1 }
        }
        return counts
    }
}

extension Acknowledgement {
    fileprivate func message(of app: App.ID) -> MessageCache.Key {
        MessageCache.Key(app: app.rawValue, messageNumber: messageNumber)
    }
}
