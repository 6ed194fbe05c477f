import Campaigns
import JSON
import Notifications
import Store

extension ByteReader {
    /// Reads an object of attributes in canonical form, which is nearly always its original text, or the empty object
    /// for null. An attribute that is null is to be removed. Nil if there is a problem.
    mutating func attributes(_ path: String) throws(Malformed) -> DeviceAttributes? {
        hasLooseNumber = false
        let start = position
        let given = try attributes(path, isCanonical: false)
        guard given != nil, hasLooseNumber || Self.mayBeLoose(bytes[start..<position]) else { return given }
        let canonical = try JSON(parsing: text(from: start)).canonical.encoded()
        let read = try Self.read(canonical) { reader throws(Malformed) in
            try reader.attributes(path, isCanonical: true)
        }
        problems += read.problems
        return read.value
    }

    /// Whether texts may not be in Unicode's form C: they have characters from U+0300 on, or escapes.
    static func mayBeLoose(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        // Without an early exit, so that many bytes are compared at a time.
        var found: UInt8 = 0
        for byte in text { found |= byte >= 0xCC || byte == UInt8(ascii: "\\") ? 1 : 0 }
        return found != 0
    }

    private mutating func attributes(_ path: String, isCanonical: Bool) throws(Malformed) -> DeviceAttributes? {
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
        var names: Set<ByteString> = []
        var lengths: [DeviceAttributes.Length] = []
        var removesSome = false
        try members { reader, name throws(Malformed) in
            guard names.insert(ByteString(text: name)).inserted else { throw reader.repeated(name) }
            reader.checkAttribute(name, reader.takeNUL(), path)
            if reader.peek() == UInt8(ascii: "n") { removesSome = true }
            let start = reader.position
            switch try reader.skip() {
            case nil: lengths.append(DeviceAttributes.Length(name, try reader.shownLength(from: start)))
            case .nul:
                reader.refuse(
                    "\(path).\(name)", "null-character",
                    "must not contain the character U+0000, which can't be stored")
            case .number:
                reader.refuse(
                    "\(path).\(name)", "out-of-range", "must not contain a number beyond 1.7e308 or below 5e-324")
            }
        }
        let text = text(from: start)
        if names.count > Attributes.maximumCount {
            refuse(path, "too-many", "must contain at most \(Attributes.maximumCount), not \(names.count)")
        }
        // The canonical form has more bytes for 1e30.
        if !isCanonical, text.count > Attributes.maximumSize {
            refuse(path, "too-long", "must be at most \(Attributes.maximumSize) bytes, not \(text.count)")
        }
        return problems.count == problemsBefore
            ? DeviceAttributes(text: text, lengths: lengths, removesSome: removesSome) : nil
    }

    /// The maximum number of bytes that the value from `start` to the current position takes inside a JSON string, in
    /// the form in which the database returns it.
    private mutating func shownLength(from start: Int) throws(Malformed) -> Int {
        let end = position
        let raw = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        switch bytes[start] {
        case UInt8(ascii: "\""):
            let hasEscapes = raw.contains(UInt8(ascii: "\\"))
            // A string without escapes contains nothing that needs one.
            guard hasEscapes else { return raw.count - 2 }
            position = start
            defer { position = end }
            return JSONString.escapedCount(try string())
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            // jsonb writes a space after each comma and colon.
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
        // A zero can have a larger exponent than a double; the value is zero anyway.
        return mark + min(Int(clamping: exponent.magnitude), maximumExponent) + "0.".utf8.count
    }

    /// The largest exponent of a double; numbers beyond it are refused.
    private static let maximumExponent = 324

    private mutating func checkAttribute(_ name: String, _ hasNUL: Bool, _ path: String) {
        let count = name.utf8.count
        if name.utf8.first == UInt8(ascii: "$") {
            refuse("\(path).\(name)", "attribute-name", "must not begin with $, which is reserved for Belfry")
        } else if hasNUL || !(1...Attributes.maximumNameLength).contains(count) {
            refuse(
                "\(path).\(name)", "attribute-name",
                "must have a name of 1 to \(Attributes.maximumNameLength) bytes without U+0000")
        } else if let problem = NameText.problem(inPath: name) {
            refuse("\(path).\(name)", "attribute-name", "has a name that \(problem.message)")
        }
    }

    enum Attributes {
        static let maximumCount = 50
        /// In bytes of the object's text.
        static let maximumSize = 4 * 1024
        /// In bytes.
        static let maximumNameLength = 100
    }
}
