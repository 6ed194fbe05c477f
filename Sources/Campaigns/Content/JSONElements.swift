/// The values of a list as JSON, one after the other. The bytes come from PostgreSQL; broken ones are read to some end
/// and never beyond it.
enum JSONElements {
    /// Whether nothing stands between the first bracket and the next.
    static func isEmpty(_ json: UnsafeRawBufferPointer) -> Bool {
        let next = json.dropFirst().first { !LiquidLexer.isSpace($0) }
        return next == UInt8(ascii: "]") || next == UInt8(ascii: "}")
    }

    static func contains(_ value: LiquidValue, in list: UnsafeRawBufferPointer, _ scratch: Scratch) -> Bool {
        var place = 1
        while place < list.count, list[place] != UInt8(ascii: "]") {
            let start = place
            skip(list, &place)
            let element = UnsafeRawBufferPointer(rebasing: list[start..<place]).trimmed
            if !element.isEmpty, LiquidValue(json: element, scratch).equals(value) { return true }
            guard place < list.count, list[place] == UInt8(ascii: ",") else { return false }
            place += 1
        }
        return false
    }

    /// To the comma or bracket behind the value that begins here.
    private static func skip(_ json: UnsafeRawBufferPointer, _ place: inout Int) {
        var depth = 0
        var isText = false
        while place < json.count {
            switch json[place] {
            case UInt8(ascii: "\\") where isText: place += 1
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
            place += 1
        }
        place = json.count
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
