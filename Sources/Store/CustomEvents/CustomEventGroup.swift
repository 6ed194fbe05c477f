import Campaigns
import FoundationEssentials
import Postgres

/// The custom events of a group of requests that may be stored, with the senders of all.
struct CustomEventGroup {
    /// A sender of an app.
    struct Sender: Hashable {
        let app: Int64
        let name: CustomEvent.Sender

        var installation: String? { if case .installation(let text) = name { text } else { nil } }
        var user: String? { if case .user(let text) = name { text } else { nil } }
    }

    struct Event {
        let event: CustomEvent
        let app: Int64
        let name: Int32
        let moment: EventClock.Moment
        /// The index of its sender.
        let sender: Int
        /// The index of its request.
        let request: Int
    }

    private(set) var senders: [Sender] = []
    private(set) var events: [Event] = []
    /// Refused events, by request.
    private(set) var counts: [CustomEventCount]

    /// `names` are those of the apps.
    init(_ requests: [CustomEventRequest], names: [Int64: CustomEventNames.OfApp]) throws {
        counts = [CustomEventCount](repeating: CustomEventCount(), count: requests.count)
        events.reserveCapacity(requests.reduce(0) { $0 + $1.events.count })
        var indexes: [Sender: Int] = [:]
        for (request, given) in requests.enumerated() {
            let app = given.app.rawValue
            let names = names[app] ?? CustomEventNames.OfApp()
            for event in given.events {
                guard case .success(let moment) = given.clock.moment(of: event.time, start: nil) else {
                    refuse(event, of: request, .tooLate)
                    continue
                }
                guard let name = names[event.name] else {
                    // Only a deleted app has no place for a name.
                    guard names.isFull(for: given) else { throw Refusal.notFound(.app) }
                    refuse(event, of: request, .unknownName(meant: names.nearest(to: event.name)))
                    continue
                }
                let sender = Sender(app: app, name: event.sender)
                let index = indexes[sender] ?? senders.count
                if index == senders.count {
                    indexes[sender] = index
                    senders.append(sender)
                }
                events.append(
                    Event(event: event, app: app, name: name.id, moment: moment, sender: index, request: request))
            }
        }
    }

    private mutating func refuse(_ event: CustomEvent, of request: Int, _ reason: CustomEventCount.Reason) {
        counts[request].refused.append(CustomEventCount.Refused(index: event.index, reason: reason))
    }

    // MARK: Rows

    /// A person, as the database knows them.
    struct Person {
        let number: Int64
        let device: Int64?
        let user: String?
    }

    /// An event as it is stored.
    struct Row {
        let app: Int64
        let name: Int32
        let person: Person
        let moment: EventClock.Moment
        let event: CustomEvent
        let request: Int

        func precedes(_ other: Row) -> Bool {
            (app, name, person.number) != (other.app, other.name, other.person.number)
                ? (app, name, person.number) < (other.app, other.name, other.person.number)
                : event.id.order != other.event.id.order
                    ? event.id.order < other.event.id.order : request < other.request
        }

        func isSame(as other: Row) -> Bool {
            event.id == other.event.id && (app, name, person.number) == (other.app, other.name, other.person.number)
        }
    }

    /// The distinct events in the order of their keys, so that groups of different processes can't deadlock. Events of
    /// senders that are nil in `people` are refused, and repetitions counted.
    mutating func rows(_ people: [Person?]) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(events.count)
        for event in events {
            guard let person = people[event.sender] else {
                refuse(event.event, of: event.request, .unknownDevice)
                continue
            }
            rows.append(
                Row(
                    app: event.app, name: event.name, person: person, moment: event.moment, event: event.event,
                    request: event.request))
        }
        rows.sort { $0.precedes($1) }
        var distinct: [Row] = []
        distinct.reserveCapacity(rows.count)
        for row in rows {
            if let last = distinct.last, last.isSame(as: row) {
                counts[row.request].duplicates += 1
            } else {
                distinct.append(row)
            }
        }
        return distinct
    }

    /// The names of rows in the order of their keys, each once.
    static func names(of rows: [Row]) -> [(app: Int64, id: Int32)] {
        var names: [(app: Int64, id: Int32)] = []
        for row in rows where names.last.map({ $0 != (row.app, row.name) }) ?? true {
            names.append((row.app, row.name))
        }
        return names
    }

    /// `repeated` are the positions of rows that were stored before.
    mutating func count(_ rows: [Row], repeated: Set<Int>) {
        for (position, row) in rows.enumerated() {
            if repeated.contains(position) {
                counts[row.request].duplicates += 1
            } else {
                counts[row.request].stored += 1
            }
        }
    }
}

extension UUID {
    /// Its halves as numbers: they order as the bytes do.
    fileprivate var order: (UInt64, UInt64) {
        withUnsafeBytes(of: uuid) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}
