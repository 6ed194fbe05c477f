import Campaigns
import JSON
import Notifications
import Store

extension ByteReader {
    /// Reads a text or null. Adds a problem for anything else, and for a text whose length in bytes is not in `length`.
    mutating func text(_ path: String, _ length: ClosedRange<Int>) throws(Malformed) -> PatchValue<String> {
        guard let read = try optionalString(path, "text or null", takesNull: true) else { return .absent }
        guard case .value(let text) = read else { return read }
        let count = text.utf8.count
        guard length.contains(count) else {
            if count == 0 {
                refuse(path, "empty", "must not be empty; null clears it")
            } else {
                refuse(path, "too-long", "must be at most \(length.upperBound) bytes, not \(count)")
            }
            return .absent
        }
        return read
    }

    /// Reads a text. For anything else adds a problem and returns nil.
    mutating func requiredText(_ path: String) throws(Malformed) -> String? {
        guard case .value(let text)? = try optionalString(path, "text", takesNull: false) else { return nil }
        return text
    }

    /// Reads one of the given names. For anything else adds a problem and returns nil. With `otherNames`, case and
    /// separators don't matter, and these names mean others.
    mutating func choice<Choice>(
        _ path: String, _ code: String, among choices: [Choice], _ name: (Choice) -> String,
        otherNames: [String: String]? = nil
    ) throws(Malformed) -> Choice? {
        guard let text = try requiredText(path) else { return nil }
        if let choice = choices.first(where: { name($0) == text }) { return choice }
        if let otherNames {
            let folded = DeviceColumn.fold(text)
            let wanted = otherNames[folded] ?? folded
            if let choice = choices.first(where: { DeviceColumn.fold(name($0)) == wanted }) { return choice }
        }
        refuse(path, code, "must be one of \(choices.map(name).list)")
        return nil
    }

    private mutating func optionalString(
        _ path: String, _ wanted: Message, takesNull: Bool
    ) throws(Malformed) -> PatchValue<String>? {
        switch peek() {
        case UInt8(ascii: "\""):
            let (text, isStorable) = try storableString()
            guard isStorable else {
                refuse(path, "null-character", "must not contain the character U+0000, which can't be stored")
                return nil
            }
            return .value(text)
        case UInt8(ascii: "n") where takesNull:
            try word("null")
            return .null
        default:
            try wrongType(path, wanted)
            return nil
        }
    }

    /// Skips the next value, whose type is not `wanted`.
    mutating func wrongType(_ path: String, _ wanted: Message) throws(Malformed) {
        let found: Message =
            switch peek() {
            case UInt8(ascii: "{"): "an object"
            case UInt8(ascii: "["): "a list"
            case UInt8(ascii: "\""): "text"
            case UInt8(ascii: "t"), UInt8(ascii: "f"): "true or false"
            case UInt8(ascii: "n"): "null"
            default: "a number"
            }
        try skip()
        refuse(path, "wrong-type", "must be \(wanted), not \(found)")
    }

    mutating func unknownMember(_ path: String) throws(Malformed) {
        try skip()
        refuse(path, "unknown-field", "is not a known field")
    }

    /// A repeated key makes the whole body invalid, because JSON readers disagree on which value counts.
    func repeated(_ key: String) -> Malformed { malformed("duplicate key \"\(key)\" in an object") }
}
