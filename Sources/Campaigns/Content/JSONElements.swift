/// Iterates over the elements of a JSON list. The bytes come from PostgreSQL; reading never goes beyond the end of
/// malformed bytes.
enum JSONElements {
    /// Whether the list or object has no elements.
    static func isEmpty(_ json: UnsafeRawBufferPointer) -> Bool {
        let next = json.dropFirst().first { !LiquidLexer.isSpace($0) }
        return next == UInt8(ascii: "]") || next == UInt8(ascii: "}")
    }

    static func contains(_ value: LiquidValue, in list: UnsafeRawBufferPointer, _ scratch: ScratchBuffer) -> Bool {
        var index = 1
        while index < list.count, list[index] != UInt8(ascii: "]") {
            let start = index
            skip(list, &index)
            let element = UnsafeRawBufferPointer(rebasing: list[start..<index]).trimmed
            if !element.isEmpty, LiquidValue(json: element, scratch).equals(value) { return true }
            guard index < list.count, list[index] == UInt8(ascii: ",") else { return false }
            index += 1
        }
        return false
    }

    /// Moves `index` to the comma or bracket after the value that begins there.
    private static func skip(_ json: UnsafeRawBufferPointer, _ index: inout Int) {
        var depth = 0
        var isText = false
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "\\") where isText: index += 1
            case UInt8(ascii: "\""): isText.toggle()
            case _ where isText: break
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ","):
                if depth == 0 { return }
            default: break
            }
            index += 1
        }
        index = json.count
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var trimmed: UnsafeRawBufferPointer {
        guard let last = lastIndex(where: { !LiquidLexer.isSpace($0) }) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(rebasing: self[...last])
    }
}
