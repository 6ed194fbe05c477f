import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// The body of an acknowledgement. An unacceptable event is reported by its index, and the others are stored: if the
/// whole request failed, the device would send it again forever.
struct AcknowledgementBody: Equatable {
    /// Events per request.
    static let maximumEvents = 1_000
    /// Bytes per request.
    static let maximumSize = 256 * 1024

    /// A well-formed event whose id has not been verified yet.
    struct Event: Equatable {
        let index: Int
        let id: MessageID
        let kind: EventKind
        /// According to the device's clock.
        let happenedAt: Timestamp?
    }

    struct Refused: Equatable {
        let index: Int
        let code: String
        let message: String
    }

    var events: [Event] = []
    var refused: [Refused] = []

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
        var count: Int?
        try reader.members { reader, key throws(ByteReader.Malformed) in
            guard key == "events" else { return try reader.unknownMember(key) }
            guard count == nil else { throw reader.repeated(key) }
            count = 0
            guard reader.peek() == UInt8(ascii: "[") else { return try reader.wrongType("events", "a list") }
            var index = 0
            try reader.elements { reader throws(ByteReader.Malformed) in
                if index < Self.maximumEvents {
                    try self.readEvent(&reader, index)
                } else {
                    try reader.skip()
                }
                index += 1
            }
            count = index
            if index == 0 { reader.refuse("events", "empty", "must contain at least one event") }
        }
        guard let count else { return reader.refuse("events", "missing", "is required") }
        if count > Self.maximumEvents {
            reader.refuse("events", "too-many", "must contain at most \(Self.maximumEvents) events, not \(count)")
        }
    }

    private mutating func readEvent(_ reader: inout ByteReader, _ index: Int) throws(ByteReader.Malformed) {
        guard reader.peek() == UInt8(ascii: "{") else { return try reader.wrongType("events[\(index)]", "an object") }
        var fields = Fields()
        try reader.members { reader, key throws(ByteReader.Malformed) in
            switch key {
            case "id":
                try reader.once(key, &fields.hasID)
                fields.id = try reader.messageID(index)
            case "kind":
                try reader.once(key, &fields.hasKind)
                fields.kind = try reader.requiredText("events[\(index)].kind", orNil: index)
            case "at":
                try reader.once(key, &fields.hasTime)
                fields.time = try reader.time(index)
            default: try reader.unknownMember("events[\(index)].\(key)")
            }
        }
        if !fields.hasID { reader.refuse("events[\(index)].id", "missing", "is required") }
        if !fields.hasKind { reader.refuse("events[\(index)].kind", "missing", "is required") }
        conclude(fields, index)
    }

    private struct Fields {
        var hasID = false
        var hasKind = false
        var hasTime = false
        var id: MessageID?
        var kind: String?
        var time = PatchValue<Timestamp>.absent
    }

    private mutating func conclude(_ fields: Fields, _ index: Int) {
        guard let id = fields.id else { return refuse(index, "unknown-message", Self.unknownMessage) }
        guard let kind = fields.kind.flatMap(EventKind.init(name:)) else {
            return refuse(index, "unknown-kind", "The kind must be delivered or opened.")
        }
        guard kind.isSupported else {
            return refuse(index, "kind-not-supported", "Events of the kind \(kind.name) are not supported yet.")
        }
        switch fields.time {
        case .null: refuse(index, "invalid-time", "The time must be written like 2026-11-21T10:00:00Z.")
        case .absent: events.append(Event(index: index, id: id, kind: kind, happenedAt: nil))
        case .value(let time): events.append(Event(index: index, id: id, kind: kind, happenedAt: time))
        }
    }

    mutating func refuse(_ index: Int, _ code: String, _ message: String) {
        refused.append(Refused(index: index, code: code, message: message))
    }

    static let unknownMessage =
        "This is not the id of a message of this app. Send the UUID that the payload has under the message id key."
}
