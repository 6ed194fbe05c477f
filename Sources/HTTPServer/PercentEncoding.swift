/// Decodes percent-encoding (RFC 3986 §2.1).
enum PercentEncoding {
    /// Returns nil if an escape is invalid or the result is not UTF-8. `plusIsSpace` is for queries, in which forms
    /// encode a space as "+".
    static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next()?.hexadecimal, let low = rest.next()?.hexadecimal else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? .space : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
