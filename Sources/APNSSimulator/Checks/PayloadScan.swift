import FoundationEssentials

/// The members of a push's body that matter to Apple, found in one pass over its JSON. It shares no code with the
/// sender's own rules, because shared code would hide shared mistakes. Do not keep it longer than the bytes it reads.
struct PayloadScan {
    typealias Kind = JSONScanner.Kind

    /// The dictionaries whose members are recorded.
    enum Level { case top, aps, alert, sound, title, body }

    struct Member {
        let level: Level
        let kind: Kind
        /// Without quotes.
        let key: Range<Int>
        /// With quotes, if it is a string.
        let value: Range<Int>
    }

    /// The maximum number of nested containers.
    static let maximumDepth = 64

    private(set) var members: [Member] = []
    /// Whether a dictionary contains a key twice. JSON readers differ in which of the two they use.
    private(set) var hasRepeatedKey = false
    /// The range of the value of the wanted top-level key, without quotes, if it is a string.
    private(set) var wantedString: Range<Int>?

    private var scanner: JSONScanner
    private let wantedKey: [UInt8]

    /// Returns nil if the body is not a single JSON dictionary in UTF-8.
    init?(_ bytes: UnsafeRawBufferPointer, wantedKey: [UInt8] = []) {
        scanner = JSONScanner(bytes)
        self.wantedKey = wantedKey
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        scanner.skipSpace()
        guard scanner.peek == UInt8(ascii: "{"), value(depth: 0, level: .top) != nil else { return nil }
        scanner.skipSpace()
        guard scanner.position == bytes.count else { return nil }
    }

    /// Scans one value and returns its kind, or nil if it is not valid JSON. Its members are recorded under `level`.
    private mutating func value(depth: Int, level: Level?) -> Kind? {
        guard depth <= Self.maximumDepth else { return nil }
        switch scanner.peek {
        case UInt8(ascii: "{"): return dictionary(depth: depth, level: level) ? .dictionary : nil
        case UInt8(ascii: "["): return array(depth: depth) ? .array : nil
        default: return scanner.scalar()
        }
    }

    private mutating func dictionary(depth: Int, level: Level?) -> Bool {
        _ = scanner.take(UInt8(ascii: "{"))
        scanner.skipSpace()
        if scanner.take(UInt8(ascii: "}")) { return true }
        while true {
            scanner.skipSpace()
            guard let key = scanner.string() else { return false }
            scanner.skipSpace()
            guard scanner.take(UInt8(ascii: ":")) else { return false }
            scanner.skipSpace()
            let start = scanner.position
            let inner = level.flatMap { self.level(of: key, in: $0) }
            guard let kind = value(depth: depth + 1, level: inner) else { return false }
            if let level { note(Member(level: level, kind: kind, key: key, value: start..<scanner.position)) }
            scanner.skipSpace()
            if scanner.take(UInt8(ascii: "}")) { return true }
            guard scanner.take(UInt8(ascii: ",")) else { return false }
        }
    }

    private mutating func array(depth: Int) -> Bool {
        _ = scanner.take(UInt8(ascii: "["))
        scanner.skipSpace()
        if scanner.take(UInt8(ascii: "]")) { return true }
        while true {
            scanner.skipSpace()
            guard value(depth: depth + 1, level: nil) != nil else { return false }
            scanner.skipSpace()
            if scanner.take(UInt8(ascii: "]")) { return true }
            guard scanner.take(UInt8(ascii: ",")) else { return false }
        }
    }

    private func level(of key: Range<Int>, in outer: Level) -> Level? {
        switch outer {
        case .top: isText(key, "aps") ? .aps : nil
        case .aps: isText(key, "alert") ? .alert : isText(key, "sound") ? .sound : nil
        case .alert: isText(key, "title") ? .title : isText(key, "body") ? .body : nil
        case .sound, .title, .body: nil
        }
    }

    private mutating func note(_ member: Member) {
        let bytes = scanner.bytes
        if members.contains(where: { $0.level == member.level && bytes[$0.key].elementsEqual(bytes[member.key]) }) {
            hasRepeatedKey = true
        }
        members.append(member)
        if member.level == .top, member.kind == .string, bytes[member.key].elementsEqual(wantedKey) {
            wantedString = member.value.lowerBound + 1..<member.value.upperBound - 1
        }
    }
}

extension PayloadScan {
    subscript(level: Level, key: StaticString) -> Member? {
        members.last { $0.level == level && isText($0.key, key) }
    }

    /// Whether the value of the key is a non-empty string.
    func hasText(_ level: Level, _ key: StaticString) -> Bool {
        self[level, key].map { $0.kind == .string && $0.value.count > 2 } ?? false
    }

    /// The value under the key, if it is a number.
    func number(_ level: Level, _ key: StaticString) -> Double? {
        guard let member = self[level, key], member.kind == .number else { return nil }
        return Double(String(decoding: scanner.bytes[member.value], as: UTF8.self))
    }

    /// The index in `texts` of the value under the key; nil if the value is missing or not one of them.
    func indexOfValue(_ level: Level, _ key: StaticString, among texts: [StaticString]) -> Int? {
        guard let member = self[level, key], member.kind == .string else { return nil }
        return texts.firstIndex { isText(member.value.lowerBound + 1..<member.value.upperBound - 1, $0) }
    }

    /// Whether the value under the key is the literal `true`.
    func isTrue(_ level: Level, _ key: StaticString) -> Bool {
        self[level, key].map { $0.kind == .boolean && isText($0.value, "true") } ?? false
    }

    /// Whether a key or the content of a string equals `text`, after escapes are decoded.
    func isText(_ range: Range<Int>, _ text: StaticString) -> Bool {
        let bytes = scanner.bytes
        if range.count == text.utf8CodeUnitCount { return text.withUTF8Buffer { bytes[range].elementsEqual($0) } }
        guard range.count > text.utf8CodeUnitCount, bytes[range].contains(UInt8(ascii: "\\")) else { return false }
        do {
            let quoted = Data(bytes[range.lowerBound - 1..<range.upperBound + 1])
            return try JSONDecoder().decode(String.self, from: quoted) == text.description
        } catch {
            return false  // half a surrogate pair, which none of Apple's names contains
        }
    }
}
