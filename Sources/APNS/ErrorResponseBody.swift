/// Reads reason and timestamp from the body of a rejection, `{"reason":"…","timestamp":…}`, without a JSON decoder:
/// usually a few percent of answers have a body, but all of them when something is wrong.
struct ErrorResponseBody: Equatable {
    /// Bytes of a body that are read; Apple's are below 100.
    static let maximumLength = 1_024

    var reason: String?
    /// Milliseconds since 1970.
    var timestamp: Int64 = 0

    init(_ bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let value = Self.value(of: "reason", in: text), value.first == "\"" {
            let reason = value.dropFirst().prefix { $0 != "\"" && $0 != "\\" }
            self.reason = reason.isEmpty ? nil : String(reason)
        }
        if let value = Self.value(of: "timestamp", in: text) {
            timestamp = Int64(value.prefix { $0.isASCII && $0.isNumber }) ?? 0
        }
    }

    private static func value(of key: String, in text: String) -> Substring? {
        guard let name = text.firstRange(of: "\"\(key)\"") else { return nil }
        let rest = text[name.upperBound...].drop(while: \.isWhitespace)
        guard rest.first == ":" else { return nil }
        return rest.dropFirst().drop(while: \.isWhitespace)
    }
}

extension String {
    /// The first occurrence of `part`.
    fileprivate func firstRange(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }
}
