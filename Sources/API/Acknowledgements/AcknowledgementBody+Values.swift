import Campaigns
import Postgres
import Store

extension ByteReader {
    mutating func once(_ key: String, _ isSeen: inout Bool) throws(Malformed) {
        guard !isSeen else { throw repeated(key) }
        isSeen = true
    }

    /// Nil for a text that is not a message id.
    mutating func messageID(_ index: Int) throws(Malformed) -> MessageID? {
        guard peek() == UInt8(ascii: "\"") else {
            try wrongType("events[\(index)].id", "text")
            return nil
        }
        return try withString { MessageID(text: $0) }
    }

    mutating func requiredText(_ path: @autoclosure () -> String, orNil index: Int) throws(Malformed) -> String? {
        if peek() == UInt8(ascii: "\"") { return try storableString().text }
        return try requiredText(path())
    }

    /// Reads a time. JSON null gives `.absent`; `.null` means a text that is not a time.
    mutating func time(_ index: Int) throws(Malformed) -> PatchValue<Timestamp> {
        switch peek() {
        case UInt8(ascii: "\""):
            return Timestamp(rfc3339: try storableString().text).map { .value($0) } ?? .null
        case UInt8(ascii: "n"):
            try word("null")
        default:
            try wrongType("events[\(index)].at", "a time or null")
        }
        return .absent
    }
}
