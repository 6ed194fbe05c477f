import JSON
import Notifications

/// Writes a JSON object directly into bytes: for responses to devices and for device files, where building a `JSON`
/// value for each would be the largest cost.
struct JSONObjectWriter {
    private(set) var bytes: [UInt8]
    private(set) var isEmpty = true

    /// The usual size of a response to a device, in bytes.
    private static let usualSize = 160

    /// Appends the object to `bytes`.
    init(behind bytes: consuming [UInt8] = []) {
        self.bytes = bytes
        if self.bytes.isEmpty { self.bytes.reserveCapacity(Self.usualSize) }
        self.bytes.append(UInt8(ascii: "{"))
    }

    /// Writes nothing if the value is nil.
    mutating func text(_ name: String, _ value: String?) {
        guard var value else { return }
        value.withUTF8 { text(name, UnsafeRawBufferPointer($0)) }
    }

    /// `utf8` is not validated: if it is not UTF-8, the object is not JSON.
    mutating func text(_ name: String, _ utf8: UnsafeRawBufferPointer) {
        self.name(name)
        bytes.appendJSONString(utf8)
    }

    mutating func flag(_ name: String, _ value: Bool) {
        raw(name, value ? "true".utf8 : "false".utf8)
    }

    mutating func texts(_ name: String, _ values: [some Sequence<UInt8>]) {
        self.name(name)
        bytes.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            Array(value).withUnsafeBytes { bytes.appendJSONString($0) }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes a value that is already JSON.
    mutating func raw(_ name: String, _ value: some Sequence<UInt8>) {
        self.name(name)
        bytes.append(contentsOf: value)
    }

    private mutating func name(_ name: String) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        bytes.appendJSONString(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Closes the object and returns all bytes.
    consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

extension [UInt8] {
    mutating func appendJSONString(_ text: String) {
        var text = text
        text.withUTF8 { appendJSONString(UnsafeRawBufferPointer($0)) }
    }

    mutating func appendJSONString(_ utf8: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        let start = count
        append(contentsOf: repeatElement(0, count: JSONString.escapedCount(utf8)))
        withUnsafeMutableBytes { buffer in
            _ = JSONString.escape(utf8, into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
        }
        append(UInt8(ascii: "\""))
    }
}
