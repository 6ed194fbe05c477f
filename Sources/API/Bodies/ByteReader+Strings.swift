import Application
import JSON
import Notifications

extension ByteReader {
    mutating func string() throws(Malformed) -> String {
        let contents = try stringContents()
        if contents.hasEscapes { return try unescaped(contents) }
        return String(decoding: bytes[contents.range], as: UTF8.self)
    }

    /// Reads a string, and returns whether it has no U+0000.
    mutating func storableString() throws(Malformed) -> (text: String, isStorable: Bool) {
        let text = try string()
        return (text, !takeNUL())
    }

    /// Calls `body` with the unescaped bytes of a string, which are valid only during the call.
    mutating func withString<Value>(
        _ body: (UnsafeBufferPointer<UInt8>) -> Value
    ) throws(Malformed) -> Value {
        let contents = try stringContents()
        guard contents.hasEscapes else { return body(UnsafeBufferPointer(rebasing: bytes[contents.range])) }
        let text = Array(try unescaped(contents).utf8)
        _ = takeNUL()
        return text.withUnsafeBufferPointer(body)
    }

    /// Whether the values read since the last call contain U+0000.
    mutating func takeNUL() -> Bool {
        defer { hasNUL = false }
        return hasNUL
    }

    /// Moves past the closing quote.
    mutating func stringContents() throws(Malformed) -> JSONString.Contents {
        let contents = try JSONString.contents(of: bytes, from: position)
        position = contents.range.upperBound + 1
        return contents
    }

    mutating func unescaped(_ contents: JSONString.Contents) throws(Malformed) -> String {
        let (text, hasNUL) = try JSONString.unescape(contents, of: bytes)
        if hasNUL { self.hasNUL = true }
        return text
    }
}
