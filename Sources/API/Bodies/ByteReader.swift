import JSON
import Notifications

/// Reads JSON from its bytes straight into fields, for the bodies that phones send: about a microsecond where a
/// decoder takes ten. It accepts what `JSON.init(parsing:)` accepts and nothing else (RFC 8259 without lone
/// surrogates and repeated keys), which a test holds against it.
///
/// What is no JSON is thrown at once; what is wrong with a value is added to `problems`, and reading goes on.
struct ByteReader {
    /// Why a body is no JSON, and where.
    typealias Malformed = JSON.SyntaxError

    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    private var depth = 0
    /// Set by `\u0000`, which PostgreSQL's text cannot hold; whoever reads a value asks and resets it.
    var hasNUL = false
    var problems: [Problem] = []

    /// Hands the bytes to `body` and sees that nothing is left of them.
    static func read<Value>(
        _ bytes: [UInt8], _ body: (inout ByteReader) throws(Malformed) -> Value
    ) throws(Malformed) -> (value: Value, problems: [Problem]) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw Malformed(offset: error.byteOffsets.lowerBound, message: "the body is not valid UTF-8")
        }
        return try bytes.withUnsafeBufferPointer { buffer throws(Malformed) in
            var reader = ByteReader(bytes: buffer)
            let value = try body(&reader)
            guard reader.peek() == nil else { throw reader.malformed("more text follows the end of the value") }
            return (value, reader.problems)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Problems that an answer names; who has more reads these first.
    static let maximumProblems = 50
    /// Characters of a path, which may hold a key of the sender's.
    static let maximumPathLength = 100

    mutating func refuse(_ path: String, _ code: String, _ message: String) {
        guard problems.count < Self.maximumProblems else { return }
        problems.append(Problem(path: String(path.prefix(Self.maximumPathLength)), code: code, message: message))
    }

    // MARK: Values of any kind

    /// The first byte of what comes next, behind white space; nil at the end.
    mutating func peek() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    /// Calls `member` behind the colon of each key, to read its value. The keys are the caller's to compare: an
    /// object with known keys tells a repeated one by what it has read.
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

    /// Calls `element` in front of each value of a list, to read it.
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
            throw malformed("objects and lists stand more than \(JSON.maximumDepth) deep in one another")
        }
        depth += 1
        position += 1
    }

    private mutating func leave() {
        depth -= 1
        position += 1
    }

    /// Goes behind the next value, whatever it is, and says whether it could be stored: without U+0000, and with
    /// numbers that a double can hold.
    @discardableResult
    mutating func skip() throws(Malformed) -> Fault? {
        var fault: Fault?
        switch peek() {
        case UInt8(ascii: "{"):
            var keys: Set<String> = []
            try members { reader, key throws(Malformed) in
                guard keys.insert(key).inserted else { throw reader.malformed("a key stands twice in one object") }
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

    /// What PostgreSQL's jsonb refuses in a value that is JSON.
    enum Fault { case nul, number }

    /// The bytes from `start` to here: a value as it is written.
    func text(from start: Int) -> [UInt8] { Array(bytes[start..<position]) }

    mutating func word(_ word: StaticString) throws(Malformed) {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard position < bytes.count, bytes[position] == word.utf8Start[index] else {
                throw malformed(at: start, "only true, false and null stand bare")
            }
            position += 1
        }
    }

    func malformed(at offset: Int? = nil, _ message: String) -> Malformed {
        Malformed(offset: offset ?? position, message: message)
    }

    func unexpected(_ wanted: String) -> Malformed {
        position < bytes.count
            ? malformed("\(wanted) is expected here") : malformed("the body ends where \(wanted) is expected")
    }
}
