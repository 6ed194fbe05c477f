import HTTPServer
import HTTPTypes
import Notifications
import Postgres

/// Takes the members of a request's body one by one, and collects all that is wrong with them.
///
/// Nobody takes a member that is not known, and what is left at the end is refused by name: a typo must not be ignored.
/// A value of the wrong kind gives nil and leaves a problem; so `isClean` is to be asked before nil means "absent".
struct BodyReader {
    private var rest: [JSON.Member]
    private let path: String
    private(set) var problems: [Problem] = []

    /// The whole body as an object. Refused: another content type (415), what is no JSON (400, with the offset).
    init(_ request: Request, upTo limit: Int = .max) async throws {
        self.init(try await Self.members(request, upTo: limit), path: "")
    }

    /// The members of a body that has a reader of its own. `limit` is in bytes, where the route takes more.
    static func members(_ request: Request, upTo limit: Int = .max) async throws -> [JSON.Member] {
        try Self.checkContentType(request)
        return try members(of: try await request.body.collect(upTo: limit))
    }

    /// A body that was read already, and whose content type was looked at.
    init(_ bytes: [UInt8]) throws {
        self.init(try Self.members(of: bytes), path: "")
    }

    /// Untyped: the optimizer crashes on the other, inside of a handler's closure.
    private static func members(of bytes: [UInt8]) throws -> [JSON.Member] {
        let json: JSON
        do throws(JSON.SyntaxError) {
            json = try JSON(parsing: bytes)
        } catch {
            throw Refusal.badRequest("invalid-json", "The body is not JSON: \(error).")
        }
        guard case .object(let members) = json else {
            throw Refusal.badRequest("not-an-object", "The body must be a JSON object, not \(json.kindInWords).")
        }
        return members
    }

    init(_ members: [JSON.Member], path: String) {
        rest = members
        self.path = path
    }

    /// For requests that say everything by their address. Some clients send {} then.
    static func refuseBody(_ request: Request) async throws {
        let bytes = try await request.body.collect()
        guard bytes.isEmpty || bytes == Array("{}".utf8) else {
            throw Refusal.badRequest("unexpected-body", "This takes no body.")
        }
    }

    static func checkContentType(_ request: Request) throws(Refusal) {
        let field = request.headers.value(.contentType) ?? ""
        if field == "application/json" { return }
        let type = field.prefix { $0 != ";" }.lowercased()
        guard type.filter({ $0 != " " }) == "application/json" else {
            throw Refusal(
                .unsupportedMediaType, "unsupported-media-type", "The body must be sent as application/json.")
        }
    }

    // MARK: Members

    func has(_ key: String) -> Bool {
        rest.contains { $0.key == key }
    }

    mutating func take(_ key: String) -> JSON? {
        guard let index = rest.firstIndex(where: { $0.key == key }) else { return nil }
        return rest.remove(at: index).value
    }

    /// Leaves a problem when the member is absent.
    mutating func require(_ keys: String...) {
        for key in keys where !has(key) { refuse(key, "missing", "must be there") }
    }

    /// Takes a member whose value is null. With it, null clears.
    mutating func takeNull(_ key: String) -> Bool {
        guard let index = rest.firstIndex(where: { $0.key == key && $0.value == .null }) else { return false }
        rest.remove(at: index)
        return true
    }

    /// `length` in characters.
    mutating func text(_ key: String, length: ClosedRange<Int>) -> String? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value else { return wrong(key, "text", value) }
        // PostgreSQL's char_length counts scalars.
        let count = text.unicodeScalars.count
        guard length ~= count else {
            refuse(
                key, count < length.lowerBound ? "too-short" : "too-long",
                "must have \(length.lowerBound) to \(length.upperBound) characters, not \(count)")
            return nil
        }
        guard !text.unicodeScalars.contains("\0") else {
            refuse(key, "bad-character", "must not hold the character U+0000")
            return nil
        }
        return text
    }

    mutating func bool(_ key: String) -> Bool? {
        guard let value = take(key) else { return nil }
        guard case .bool(let bool) = value else { return wrong(key, "true or false", value) }
        return bool
    }

    mutating func whole(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = take(key) else { return nil }
        guard case .number(let number) = value, let whole = number.int else {
            return wrong(key, "a whole number", value)
        }
        guard range ~= whole else {
            refuse(key, "out-of-range", "must be from \(range.lowerBound) to \(range.upperBound), not \(whole)")
            return nil
        }
        return whole
    }

    /// One of a few words.
    mutating func choice<Choice: RawRepresentable<String>>(_ key: String, among choices: [Choice]) -> Choice? {
        guard let value = take(key) else { return nil }
        let words = choices.map(\.rawValue).joined(separator: ", ")
        guard case .string(let text) = value else { return wrong(key, "one of \(words)", value) }
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            refuse(key, "not-allowed", "must be one of \(words)")
            return nil
        }
        return choice
    }

    mutating func time(_ key: String) -> Timestamp? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value, let time = Timestamp(rfc3339: text) else {
            return wrong(key, "a time like 2026-11-21T10:00:00Z", value)
        }
        return time
    }

    /// A value with a form of its own, such as a key id.
    mutating func value<Value>(_ key: String, _ make: (String) throws(InvalidValue) -> Value) -> Value? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value else { return wrong(key, "text", value) }
        do throws(InvalidValue) {
            return try make(text)
        } catch {
            problems.append(error.problem(at: path(of: key)))
            return nil
        }
    }

    /// A list of words without order; `make` gives nil for a word that is not known.
    mutating func words<Word: Hashable>(_ key: String, among known: [String], _ make: (String) -> Word?) -> Set<Word>? {
        guard let value = take(key) else { return nil }
        let wanted = "a list of words out of \(known.joined(separator: ", "))"
        guard case .array(let elements) = value else { return wrong(key, wanted, value) }
        var words: Set<Word> = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element, let word = make(text) else {
                refuse("\(key)[\(index)]", "not-allowed", "must be one of \(known.joined(separator: ", "))")
                return nil
            }
            words.insert(word)
        }
        return words
    }

    // MARK: Problems

    mutating func refuse(_ key: String, _ code: String, _ message: String) {
        problems.append(Problem(path: path(of: key), code: code, message: message))
    }

    mutating func refuse(_ more: [Problem]) {
        problems += more
    }

    /// Throws when anything is wrong or left over.
    mutating func finish() throws(Refusal) {
        for member in rest { refuse(member.key, "unknown-member", "is not known here: perhaps a typing error") }
        rest = []
        guard problems.isEmpty else { throw Refusal(problems: problems) }
    }

    private mutating func wrong<Value>(_ key: String, _ wanted: String, _ found: JSON) -> Value? {
        refuse(key, "wrong-type", "must be \(wanted), not \(found.kindInWords)")
        return nil
    }

    private func path(of key: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }
}

extension JSON {
    fileprivate var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number): "the number \(number.text.prefix(40))"
        case .string: "this text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
