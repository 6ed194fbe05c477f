/// A value during composition: its kind, and a reference to its bytes.
struct LiquidValue {
    enum Kind: UInt8 {
        /// Absent or null.
        case nothing
        case no, yes
        case number, text
        /// Their bytes are JSON.
        case list, object
    }

    let kind: Kind
    /// A text's UTF-8 without its escapes, a number without zeros at its end, a boolean's word.
    let bytes: UnsafeRawBufferPointer

    init(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
        self.kind = kind
        self.bytes = bytes
    }

    static var nothing: LiquidValue { LiquidValue(.nothing, UnsafeRawBufferPointer(start: nil, count: 0)) }

    static func bool(_ value: Bool) -> LiquidValue {
        let word: StaticString = value ? "true" : "false"
        return LiquidValue(
            value ? .yes : .no, UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// A column of the device.
    init(text: UnsafeRawBufferPointer?) {
        guard let text else {
            self = .nothing
            return
        }
        self.init(.text, text)
    }

    /// An attribute: JSON, or PostgreSQL's binary form of `jsonb`, which is a 1 and JSON. Only a text with escapes is
    /// copied, to `scratch`.
    init(json: UnsafeRawBufferPointer?, _ scratch: ScratchBuffer) {
        guard let json else {
            self = .nothing
            return
        }
        var start = 0
        while start < json.count, json[start] == 1 || LiquidLexer.isSpace(json[start]) { start &+= 1 }
        guard start < json.count else {
            self = .nothing
            return
        }
        let value = UnsafeRawBufferPointer(rebasing: json[start...])
        switch value[0] {
        case UInt8(ascii: "\""): self.init(.text, JSONText.unescaped(value, scratch))
        case UInt8(ascii: "t"): self = .bool(true)
        case UInt8(ascii: "f"): self = .bool(false)
        case UInt8(ascii: "n"): self = .nothing
        case UInt8(ascii: "["): self.init(.list, value)
        case UInt8(ascii: "{"): self.init(.object, value)
        default: self.init(.number, NumberText.trimmed(value))
        }
    }

    /// Whether a placeholder with this value has nothing to show.
    var isMissing: Bool {
        switch kind {
        case .nothing: true
        case .list, .object: JSONElements.isEmpty(bytes)
        case .text: bytes.isEmpty
        case .no, .yes, .number: false
        }
    }

    /// A list or an object, which no text can show.
    var isCompound: Bool { kind == .list || kind == .object }

    var isTruthy: Bool { kind != .nothing && kind != .no }
}
