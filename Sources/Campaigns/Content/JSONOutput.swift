import JSON
import Notifications

/// Writes JSON to the start of a buffer that may be too small. A text cannot end the string that contains it.
struct JSONOutput {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private(set) var count = 0

    init(_ base: UnsafeMutableRawPointer, capacity: Int) {
        self.base = base
        self.capacity = capacity
    }

    /// Appends bytes as they are; false when they do not fit.
    @inline(__always)
    mutating func append(_ bytes: UnsafeRawPointer, _ length: Int) -> Bool {
        guard length <= capacity &- count else { return false }
        (base + count).copyMemory(from: bytes, byteCount: length)
        count &+= length
        return true
    }

    /// Appends the escaped text of a JSON string; false if it does not fit. Invalid UTF-8 becomes U+FFFD.
    mutating func appendEscaped(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress else { return true }
        var index = 0
        while index < text.count {
            let clean = UTF8Text.cleanLength(start + index, text.count &- index)
            guard append(start + index, clean) else { return false }
            index &+= clean
            guard index < text.count else { break }
            guard let used = appendSpecial(UnsafeRawBufferPointer(rebasing: text[index...])) else { return false }
            index &+= used
        }
        return true
    }

    /// Appends the escape for the start of `text`, and returns the number of bytes that it replaces.
    private mutating func appendSpecial(_ text: UnsafeRawBufferPointer) -> Int? {
        let byte = text[0]
        guard byte < 0x80 else {
            return UTF8Text.withReplacement { append($0, UTF8Text.replacementLength) }
                ? UTF8Text.brokenLength(text) : nil
        }
        let room = UnsafeMutableRawBufferPointer(start: base + count, count: capacity &- count)
        guard let written = JSONString.escape(UnsafeRawBufferPointer(rebasing: text[..<1]), into: room) else {
            return nil
        }
        count &+= written
        return 1
    }
}
