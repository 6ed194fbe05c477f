import Campaigns
import JSON
import Notifications
import Store

extension ByteReader {
    /// An object of attributes as it is written, or the empty one for null. Nil when there is a problem with it.
    mutating func attributes(_ path: String) throws(Malformed) -> DeviceAttributes? {
        switch peek() {
        case UInt8(ascii: "n"):
            try word("null")
            return DeviceAttributes.none
        case UInt8(ascii: "{"): break
        default:
            try wrongType(path, "an object")
            return nil
        }
        let start = position
        let problemsBefore = problems.count
        var names: Set<ExactText> = []
        var lengths: [DeviceAttributes.Length] = []
        try members { reader, name throws(Malformed) in
            guard names.insert(ExactText(text: name)).inserted else { throw reader.repeated(name) }
            reader.checkAttribute(name, reader.takeNUL(), path)
            _ = reader.peek()
            let start = reader.position
            switch try reader.skip() {
            case nil: lengths.append(DeviceAttributes.Length(name, try reader.shownLength(from: start)))
            case .nul:
                reader.refuse(
                    "\(path).\(name)", "null-character",
                    "must not hold the character U+0000, which cannot be stored")
            case .number:
                reader.refuse(
                    "\(path).\(name)", "out-of-range", "must not hold a number beyond 1.7e308 or below 5e-324")
            }
        }
        let text = text(from: start)
        if names.count > Attributes.maximumCount {
            refuse(path, "too-many", "must be at most \(Attributes.maximumCount), not \(names.count)")
        }
        if text.count > Attributes.maximumSize {
            refuse(path, "too-long", "must be at most \(Attributes.maximumSize) bytes, not \(text.count)")
        }
        return problems.count == problemsBefore ? DeviceAttributes(text: text, lengths: lengths) : nil
    }

    /// The bytes that the value between `start` and here takes at most inside a JSON string, as the database gives it
    /// back.
    private mutating func shownLength(from start: Int) throws(Malformed) -> Int {
        let end = position
        let raw = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        switch bytes[start] {
        case UInt8(ascii: "\""):
            let hasEscapes = raw.contains(UInt8(ascii: "\\"))
            // Without escapes there is nothing in it that needs one.
            guard hasEscapes else { return raw.count - 2 }
            position = start
            defer { position = end }
            return JSONString.escapedCount(try string())
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            // jsonb puts a space behind each comma and colon.
            return JSONString.escapedCount(raw)
                + raw.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ":") }
        case UInt8(ascii: "n"): return 0
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return raw.count
        default: return Self.plainLength(of: raw)
        }
    }

    /// The characters of a number without its exponent, which is how jsonb writes it.
    private static func plainLength(of number: UnsafeRawBufferPointer) -> Int {
        guard let mark = number.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return number.count }
        let exponent = Int(String(decoding: number[(mark + 1)...], as: UTF8.self)) ?? 0
        // The exponent of a zero may be larger than that of a double, and it stays zero.
        return mark + min(Int(clamping: exponent.magnitude), maximumExponent) + "0.".utf8.count
    }

    /// That of a double, below which it is refused.
    private static let maximumExponent = 324

    private mutating func checkAttribute(_ name: String, _ hasNUL: Bool, _ path: String) {
        let count = name.utf8.count
        if name.utf8.first == UInt8(ascii: "$") {
            refuse("\(path).\(name)", "attribute-name", "must not begin with $, as Belfry's own names do")
        } else if hasNUL || !(1...Attributes.maximumNameLength).contains(count) {
            refuse(
                "\(path).\(name)", "attribute-name",
                "must have a name of 1 to \(Attributes.maximumNameLength) bytes without U+0000")
        }
    }

    enum Attributes {
        static let maximumCount = 50
        /// Bytes of the object's text.
        static let maximumSize = 4 * 1024
        /// Bytes.
        static let maximumNameLength = 100
    }
}
