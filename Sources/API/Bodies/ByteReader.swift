import JSON
import Notifications

/// Reads JSON bytes directly into fields, for the bodies that devices send: it takes about 1 µs where a decoder takes
/// 10 µs. It accepts exactly what `JSON.init(parsing:)` accepts (RFC 8259 without lone surrogates and repeated keys); a
/// test compares the two.
///
/// Invalid JSON throws. An invalid value is added to `problems`, and reading continues.
struct ByteReader {
    /// Why a body is not JSON, and where.
    typealias Malformed = JSON.SyntaxError

    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    var depth = 0
    /// Set by `\u0000`, which PostgreSQL's text can't contain; the reader of a value checks and resets it.
    var hasNUL = false
    /// Set by a number that is not in canonical form; the reader of attributes checks and resets it.
    var hasLooseNumber = false
    var problems: [Problem] = []
    /// Whether `bytes` are a copy in which `invalidByte` replaces bytes that are not UTF-8.
    private(set) var isRepaired = false

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Lets `body` read the bytes, and throws if it does not read all of them. With `isolating`, bytes that are not UTF-8
    /// are left to `isolated`, and a byte order mark is ignored: a phone can't repair its queue.
    static func read<Value>(
        _ bytes: [UInt8], isolating: Bool = false, _ body: (inout ByteReader) throws(Malformed) -> Value
    ) throws(Malformed) -> (value: Value, problems: [Problem]) {
        if isolating, bytes.starts(with: byteOrderMark) {
            return try read(Array(bytes.dropFirst(byteOrderMark.count)), isolating: true, body)
        }
        var fault: Malformed?
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            fault = Malformed(offset: error.byteOffsets.lowerBound, message: "the body is not valid UTF-8")
        }
        guard let fault else { return try read(valid: bytes, isRepaired: false, body) }
        guard isolating else { throw fault }
        do throws(Malformed) {
            return try read(valid: repaired(bytes), isRepaired: true, body)
        } catch {
            throw fault
        }
    }

    private static func read<Value>(
        valid bytes: [UInt8], isRepaired: Bool, _ body: (inout ByteReader) throws(Malformed) -> Value
    ) throws(Malformed) -> (value: Value, problems: [Problem]) {
        try bytes.withUnsafeBufferPointer { buffer throws(Malformed) in
            var reader = ByteReader(bytes: buffer)
            reader.isRepaired = isRepaired
            let value = try body(&reader)
            guard reader.peek() == nil else { throw reader.malformed("unexpected text after the end of the value") }
            return (value, reader.problems)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The maximum number of problems that one response contains.
    static let maximumProblems = 50
    /// In characters; a path may contain a key from the request.
    static let maximumPathLength = 100

    mutating func refuse(_ path: String, _ code: String, _ message: Message) {
        guard problems.count < Self.maximumProblems else { return }
        problems.append(Problem(path: String(path.prefix(Self.maximumPathLength)), code: code, message: message))
    }

    // MARK: Values of any kind

    /// The first byte of the next token, after white space; nil at the end.
    mutating func peek() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    /// Reads an object: calls `member` after the colon of each key, to read its value. The caller must detect repeated
    /// keys.
    mutating func members(
        _ member: (inout ByteReader, String) throws(Malformed) -> Void
    ) throws(Malformed) {
        try enter()
        if peek() == UInt8(ascii: "}") { return leave() }
        while true {
            guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
            let key = try string()
            guard peek() == UInt8(ascii: ":") else { throw unexpected("a colon after the key") }
            position += 1
            try member(&self, key)
            switch peek() {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"): return leave()
            default: throw unexpected("a comma or } after the value")
            }
        }
    }

    /// Reads a list: calls `element` before each value, to read it.
    mutating func elements(_ element: (inout ByteReader) throws(Malformed) -> Void) throws(Malformed) {
        try enter()
        if peek() == UInt8(ascii: "]") { return leave() }
        while true {
            try element(&self)
            switch peek() {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"): return leave()
            default: throw unexpected("a comma or ] after the value")
            }
        }
    }

    private mutating func enter() throws(Malformed) {
        guard depth < JSON.maximumDepth else {
            throw malformed("objects and lists are nested more than \(JSON.maximumDepth) levels deep")
        }
        depth += 1
        position += 1
    }

    private mutating func leave() {
        depth -= 1
        position += 1
    }

    /// Skips the next value. Returns why it can't be stored: it contains U+0000, or a number that a double can't
    /// represent. Nil if it can.
    @discardableResult
    mutating func skip() throws(Malformed) -> Fault? {
        var fault: Fault?
        switch peek() {
        case UInt8(ascii: "{"):
            var keys: Set<String> = []
            try members { reader, key throws(Malformed) in
                guard keys.insert(key).inserted else { throw reader.malformed("duplicate key in an object") }
                if reader.takeNUL() { fault = .nul }
                let inner = try reader.skip()
                fault = fault ?? inner
            }
        case UInt8(ascii: "["):
            try elements { reader throws(Malformed) in
                let inner = try reader.skip()
                fault = fault ?? inner
            }
        case UInt8(ascii: "\""):
            let contents = try stringContents()
            if contents.hasEscapes { _ = try unescaped(contents) }
            if takeNUL() { fault = .nul }
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): if try !number() { fault = .number }
        default: throw unexpected("a value")
        }
        return fault
    }

    /// Parts of valid JSON that PostgreSQL's jsonb rejects.
    enum Fault { case nul, number }

    /// The bytes from `start` to the current position.
    func text(from start: Int) -> [UInt8] { Array(bytes[start..<position]) }

    mutating func word(_ word: StaticString) throws(Malformed) {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard position < bytes.count, bytes[position] == word.utf8Start[index] else {
                throw malformed(at: start, "unknown word; only true, false and null are written without quotes")
            }
            position += 1
        }
    }

    func malformed(at offset: Int? = nil, _ message: Message) -> Malformed {
        Malformed(offset: offset ?? position, message: message)
    }

    func unexpected(_ wanted: Message) -> Malformed {
        position < bytes.count
            ? malformed("\(wanted) is expected here") : malformed("the body ends where \(wanted) is expected")
    }
}
