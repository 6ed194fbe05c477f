import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// The body of an acknowledgement. Each event is accepted or refused by itself, because a phone can't repair its queue:
/// if one event failed the whole request, the phone would send it again forever.
struct AcknowledgementBody: Equatable {
    /// Events per request.
    static let maximumEvents = 1_000
    /// Bytes per request.
    static let maximumSize = 256 * 1024
    /// Warnings in a response.
    static let maximumWarnings = 50

    /// A well-formed event whose id has not been verified yet.
    struct Event: Equatable {
        let index: Int
        let id: MessageID
        let kind: EventKind
        let time: EventTime
    }

    /// A remark about the event at this index.
    struct Remark: Equatable {
        let index: Int
        let code: String
        let message: String
    }

    var events: [Event] = []
    var refused: [Remark] = []
    /// Events that are stored although something about them is wrong.
    private(set) var warnings: [Remark] = []

    static func read(
        _ bytes: [UInt8]
    ) throws(ByteReader.Malformed) -> (body: AcknowledgementBody, problems: [Problem]) {
        let read = try ByteReader.read(bytes) { reader throws(ByteReader.Malformed) in
            var body = AcknowledgementBody()
            try body.read(&reader)
            return body
        }
        return (read.value, read.problems)
    }

    private mutating func read(_ reader: inout ByteReader) throws(ByteReader.Malformed) {
        guard reader.peek() == UInt8(ascii: "{") else { return try reader.wrongType("", "an object") }
        var keys: Set<String> = []
        try reader.members { reader, key throws(ByteReader.Malformed) in
            guard keys.insert(key).inserted else { throw reader.repeated(key) }
            guard key == "events" else { return try reader.skipValue() }
            guard reader.peek() == UInt8(ascii: "[") else { return try reader.wrongType("events", "a list") }
            var index = 0
            try reader.elements { reader throws(ByteReader.Malformed) in
                try self.readElement(&reader, index)
                index += 1
            }
        }
        if !keys.contains("events") { reader.refuse("events", "missing", "is required") }
    }

    private mutating func readElement(_ reader: inout ByteReader, _ index: Int) throws(ByteReader.Malformed) {
        guard index < Self.maximumEvents else {
            try reader.skipValue()
            return refuse(
                index, "too-many",
                "A request may contain \(Self.maximumEvents) events. Send this one in another request.")
        }
        guard reader.peek() == UInt8(ascii: "{") else {
            try reader.skipValue()
            return refuse(index, "wrong-type", "An event must be an object with message_id and kind.")
        }
        var fields = Fields()
        try reader.members { reader, key throws(ByteReader.Malformed) in
            switch key {
            case "message_id": fields.id = try reader.messageID(once: key, &fields.seen)
            case "kind": fields.kind = try reader.kind(once: key, &fields.seen)
            case "at": fields.time = try reader.time(once: key, &fields.seen)
            default:
                guard fields.unknown.insert(key).inserted else { throw reader.repeated(key) }
                try reader.skipValue()
            }
        }
        conclude(fields, index)
    }

    private struct Fields {
        /// The known members that were read.
        var seen: ByteReader.EventMembers = []
        var unknown: Set<String> = []
        var id: MessageID?
        var kind: String?
        var time = EventTime.receipt
    }

    private mutating func conclude(_ fields: Fields, _ index: Int) {
        guard let id = fields.id else { return refuse(index, "unknown-message", Self.unknownMessage) }
        guard let kind = fields.kind.flatMap(EventKind.init(name:)) else {
            return refuse(index, "unknown-kind", "The kind must be delivered or opened.")
        }
        guard kind.isSupported else {
            return refuse(index, "kind-not-supported", "Events of the kind \(kind.name) are not supported yet.")
        }
        if fields.time == .unreadable {
            warn(
                index, "invalid-time",
                "The time must be written like 2026-11-21T10:00:00Z. The time of receipt is stored instead.")
        }
        if !fields.unknown.isEmpty {
            let names = fields.unknown.sorted().joined(separator: ", ").prefix(100)
            warn(index, "unknown-field", "These members are not known, and were ignored: \(names).")
        }
        events.append(Event(index: index, id: id, kind: kind, time: fields.time))
    }

    mutating func refuse(_ index: Int, _ code: String, _ message: String) {
        refused.append(Remark(index: index, code: code, message: message))
    }

    private mutating func warn(_ index: Int, _ code: String, _ message: String) {
        guard warnings.count < Self.maximumWarnings else { return }
        warnings.append(Remark(index: index, code: code, message: message))
    }

    static let unknownMessage =
        "This is not the id of a message of this app. Send the UUID that the payload has under the message id key."
}
