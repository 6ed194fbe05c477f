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
        var details: EventDetails?
    }

    /// A remark about the event at this index.
    struct Remark: Equatable {
        let index: Int
        let code: String
        let message: Message
        /// The member at fault, if it is known.
        var member: String?
    }

    var events: [Event] = []
    /// The device's time when it sent the request; nil if it is not given or can't be read.
    private(set) var sentAt: Timestamp?
    var refused: [Remark] = []
    /// Events that are stored although something about them is wrong.
    private(set) var warnings: [Remark] = []

    static func read(
        _ bytes: [UInt8]
    ) throws(ByteReader.Malformed) -> (body: AcknowledgementBody, problems: [Problem]) {
        let read = try ByteReader.read(bytes, isolating: true) { reader throws(ByteReader.Malformed) in
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
            guard key == "events" else { return try self.readOther(key, &reader) }
            guard reader.peek() == UInt8(ascii: "[") else { return try reader.wrongType("events", "a list") }
            var index = 0
            try reader.elements { reader throws(ByteReader.Malformed) in
                let fault = try reader.isolated(marks: Self.marks) { reader throws(ByteReader.Malformed) in
                    try self.readElement(&reader, index)
                }
                if let fault { self.refuse(index, "invalid-json", "The event is not JSON: \(fault.message).") }
                index += 1
            }
        }
        if !keys.contains("events") { reader.refuse("events", "missing", "is required") }
    }

    /// Members that events have.
    private static let marks: Set<String> = ["message_id", "kind"]

    /// A member beside the events. One that is not JSON must not cost them.
    private mutating func readOther(_ key: String, _ reader: inout ByteReader) throws(ByteReader.Malformed) {
        _ = try reader.isolated { reader throws(ByteReader.Malformed) in
            if key == "sent_at" { self.sentAt = try reader.eventTime().told } else { try reader.skipValue() }
        }
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
        var fields = EventFields()
        try reader.members { reader, key throws(ByteReader.Malformed) in try fields.read(&reader, key) }
        conclude(fields, index)
    }

    private mutating func conclude(_ fields: EventFields, _ index: Int) {
        guard let id = fields.id else { return refuse(index, Self.unknownMessageCode, Self.unknownMessage) }
        guard let kind = fields.kind else {
            let kinds = EventKind.reported.map(\.name).alternatives
            return refuse(index, "unknown-kind", "The kind must be \(kinds).")
        }
        let details: EventDetails?
        switch fields.details(of: kind) {
        case .success(let read): details = read
        case .failure(let fault): return refuse(index, fault.code, fault.message)
        }
        for flaw in fields.flaws(of: kind) { warn(index, flaw.code, flaw.message) }
        events.append(Event(index: index, id: id, kind: kind, time: fields.time, details: details))
    }

    mutating func refuse(_ index: Int, _ code: String, _ message: Message) {
        refused.append(Remark(index: index, code: code, message: message))
    }

    private mutating func warn(_ index: Int, _ code: String, _ message: Message) {
        guard warnings.count < Self.maximumWarnings else { return }
        warnings.append(Remark(index: index, code: code, message: message))
    }

    static let unknownMessageCode = "unknown-message"
    static let unknownMessage: Message =
        "This is not the id of a message of this app. Send the UUID that the payload has under the message id key."
}
