import Campaigns
import JSON
import Postgres
import Store

extension ByteReader {
    /// The known members of an event.
    struct EventMembers: OptionSet {
        let rawValue: UInt8
        static let id = EventMembers(rawValue: 1)
        static let kind = EventMembers(rawValue: 2)
        static let time = EventMembers(rawValue: 4)
    }

    private mutating func once(
        _ key: String, _ member: EventMembers, _ seen: inout EventMembers
    ) throws(Malformed) {
        guard seen.insert(member).inserted else { throw repeated(key) }
    }

    /// Nil for anything that is not a message id.
    mutating func messageID(once key: String, _ seen: inout EventMembers) throws(Malformed) -> MessageID? {
        try once(key, .id, &seen)
        guard peek() == UInt8(ascii: "\"") else {
            try skipValue()
            return nil
        }
        return try withString { MessageID(text: $0) }
    }

    /// Nil for anything that is not a text.
    mutating func kind(once key: String, _ seen: inout EventMembers) throws(Malformed) -> String? {
        try once(key, .kind, &seen)
        guard peek() == UInt8(ascii: "\"") else {
            try skipValue()
            return nil
        }
        return try storableString().text
    }

    mutating func time(once key: String, _ seen: inout EventMembers) throws(Malformed) -> EventTime {
        try once(key, .time, &seen)
        switch peek() {
        case UInt8(ascii: "\""):
            return Timestamp(rfc3339: try storableString().text).map { .device($0) } ?? .unreadable
        case UInt8(ascii: "n"):
            try word("null")
            return .receipt
        default:
            try skipValue()
            return .unreadable
        }
    }

    /// Skips the next value, whatever it contains.
    mutating func skipValue() throws(Malformed) {
        try skip()
        _ = takeNUL()
    }
}
