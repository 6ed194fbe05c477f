import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// The custom events of one request. As with acknowledgements, each is accepted or refused by itself, because a phone
/// can't repair its queue.
struct CustomEventBody {
    typealias Remark = AcknowledgementBody.Remark

    /// Whether events may name users, which only servers do.
    private let mayNameUsers: Bool
    private(set) var events: [CustomEvent] = []
    /// The sender's time when it sent the request; nil if it is not given or can't be read.
    private(set) var sentAt: Timestamp?
    private var refused: [Remark] = []
    private var warnings: [Remark] = []

    static func read(
        _ bytes: [UInt8], mayNameUsers: Bool
    ) throws(ByteReader.Malformed) -> (body: CustomEventBody, problems: [Problem]) {
        let read = try ByteReader.read(bytes, isolating: true) { reader throws(ByteReader.Malformed) in
            var body = CustomEventBody(mayNameUsers: mayNameUsers)
            try body.read(&reader)
            return body
        }
        return (read.value, read.problems)
    }

    private init(mayNameUsers: Bool) {
        self.mayNameUsers = mayNameUsers
    }

    private mutating func read(_ reader: inout ByteReader) throws(ByteReader.Malformed) {
        guard reader.peek() == UInt8(ascii: "{") else { return try reader.wrongType("", "an object") }
        var keys: Set<String> = []
        try reader.members { reader, key throws(ByteReader.Malformed) in
            guard keys.insert(key).inserted else { throw reader.repeated(key) }
            guard key == "events" else { return try self.readOther(key, &reader) }
            guard reader.peek() == UInt8(ascii: "[") else { return try reader.wrongType("events", "a list") }
            var index = 0
            try reader.elements { reader throws(ByteReader.Malformed) in
                let fault = try reader.isolated(marks: ["id", "name"]) { reader throws(ByteReader.Malformed) in
                    try self.readElement(&reader, index)
                }
                if let fault { self.refuse(index, "invalid-json", "The event is not JSON: \(fault.message).") }
                index += 1
            }
        }
        if !keys.contains("events") { reader.refuse("events", "missing", "is required") }
    }

    /// A member beside the events. One that is not JSON must not cost them.
    private mutating func readOther(_ key: String, _ reader: inout ByteReader) throws(ByteReader.Malformed) {
        _ = try reader.isolated { reader throws(ByteReader.Malformed) in
            if key == "sent_at" { self.sentAt = try reader.eventTime().told } else { try reader.skipValue() }
        }
    }

    private mutating func readElement(_ reader: inout ByteReader, _ index: Int) throws(ByteReader.Malformed) {
        let limit = AcknowledgementBody.maximumEvents
        guard index < limit else {
            try reader.skipValue()
            return refuse(
                index, "too-many", "A request may contain \(limit) events. Send this one in another request.")
        }
        guard reader.peek() == UInt8(ascii: "{") else {
            try reader.skipValue()
            return refuse(index, "wrong-type", "An event must be an object with id and name.")
        }
        var fields = CustomEventFields()
        try reader.members { reader, key throws(ByteReader.Malformed) in try fields.read(&reader, key) }
        do throws(CustomEventFields.Fault) {
            events.append(try fields.event(index, mayNameUsers: mayNameUsers))
        } catch {
            return refuse(index, error.code, error.message, member: error.member)
        }
        for flaw in fields.flaws where warnings.count < AcknowledgementBody.maximumWarnings {
            warnings.append(Remark(index: index, code: flaw.code, message: flaw.message))
        }
    }

    private mutating func refuse(_ index: Int, _ code: String, _ message: Message, member: String? = nil) {
        refused.append(Remark(index: index, code: code, message: message, member: member))
    }

    // MARK: Answer

    mutating func refuse(_ event: CustomEventCount.Refused) {
        switch event.reason {
        case .tooLate:
            let days = EventClock.maximumAge.components.seconds / (24 * 60 * 60)
            refuse(event.index, "too-late", "The event happened more than \(days) days ago.", member: "at")
        case .unknownDevice:
            refuse(
                event.index, "unknown-device",
                "The app has no device with this installation. Register the device first.", member: "installation")
        case .unknownName(let meant):
            let suggestion = meant.map(Spelling.suggestion) ?? "."
            refuse(
                event.index, "too-many-names",
                mayNameUsers
                    ? "The app has \(CustomEvent.maximumNames) names of events already, and this is none of them\(suggestion)"
                    : "The app has \(CustomEvent.maximumNamesOfPhones) names of events already, and phones can make no more\(suggestion)",
                member: "name")
        }
    }

    func answer(_ count: CustomEventCount) -> JSON {
        [
            "stored": .count(count.stored), "duplicates": .count(count.duplicates),
            "failed": .array(refused.sorted { $0.index < $1.index }.map(\.json)),
            "warnings": .array(warnings.map(\.json)),
        ]
    }
}
