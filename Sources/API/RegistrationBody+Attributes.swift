import Notifications

extension ByteReader {
    /// An object of attributes as it is written, or the empty one for null. Nil when there is a problem with it.
    mutating func attributes(_ path: String) throws(Malformed) -> [UInt8]? {
        switch peek() {
        case UInt8(ascii: "n"):
            try word("null")
            return Array("{}".utf8)
        case UInt8(ascii: "{"): break
        default:
            try wrongType(path, "an object")
            return nil
        }
        let start = position
        let problemsBefore = problems.count
        var names: Set<String> = []
        try members { reader, name throws(Malformed) in
            guard names.insert(name).inserted else { throw reader.repeated(name) }
            reader.checkAttribute(name, reader.takeNUL(), path)
            switch try reader.skip() {
            case nil: break
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
        return problems.count == problemsBefore ? text : nil
    }

    private mutating func checkAttribute(_ name: String, _ hasNUL: Bool, _ path: String) {
        let count = name.utf8.count
        if hasNUL || !(1...Attributes.maximumNameLength).contains(count) {
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
