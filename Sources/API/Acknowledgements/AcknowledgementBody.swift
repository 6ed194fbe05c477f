import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// The body of an acknowledgement. An event that says something we do not take is refused by its index and does not
/// hold up the others: a phone would send it again for ever.
struct AcknowledgementBody: Equatable {
    /// Events of one request.
    static let maximumEvents = 1_000
    /// Bytes of one request.
    static let maximumSize = 256 * 1024

    /// An event that can be read; whether its id is genuine is not known yet.
    struct Event: Equatable {
        let index: Int
        let id: MessageID
        let kind: EventKind
        /// As the phone's clock had it.
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
            if index == 0 { reader.refuse("events", "empty", "must hold at least one event") }
        }
        guard let count else { return reader.refuse("events", "missing", "is needed") }
        if count > Self.maximumEvents {
            reader.refuse("events", "too-many", "must be at most \(Self.maximumEvents) events, not \(count)")
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
        if !fields.hasID { reader.refuse("events[\(index)].id", "missing", "is needed") }
        if !fields.hasKind { reader.refuse("events[\(index)].kind", "missing", "is needed") }
        conclude(fields, index)
    }

    private struct Fields {
        var hasID = false
        var hasKind = false
        var hasTime = false
        var id: MessageID?
        var kind: String?
        var time = Given<Timestamp>.absent
    }

    private mutating func conclude(_ fields: Fields, _ index: Int) {
        guard let id = fields.id else { return refuse(index, "unknown-message", Self.unknownMessage) }
        guard let kind = fields.kind.flatMap(EventKind.init(name:)) else {
            return refuse(index, "unknown-kind", "The kind must be delivered or opened.")
        }
        guard kind.isTaken else {
            return refuse(index, "kind-not-taken", "Events of the kind \(kind.name) are not taken yet.")
        }
        switch fields.time {
        case .null: refuse(index, "invalid-time", "The time must look like 2026-11-21T10:00:00Z.")
        case .absent: events.append(Event(index: index, id: id, kind: kind, happenedAt: nil))
        case .value(let time): events.append(Event(index: index, id: id, kind: kind, happenedAt: time))
        }
    }

    mutating func refuse(_ index: Int, _ code: String, _ message: String) {
        refused.append(Refused(index: index, code: code, message: message))
    }

    static let unknownMessage =
        "This is not the id of a message of this app. It is the UUID under the message id key of the payload."
}
