/// Reads the members of a JSON object one by one and collects every problem on the way.
///
/// A member that is absent and one whose value has the wrong type both give nil; the latter adds a problem. So check
/// `isValid` or `problems` before nil is taken to mean "absent". Members that nobody takes stay in `rest`.
public struct ObjectReader {
    private let path: String
    public let keyOrder: KeyOrder
    /// The members that were not taken yet.
    public private(set) var rest: [JSON.Member]
    public private(set) var problems: [Problem] = []
    /// Every name that was asked for: candidates when an unknown field looks like a typing error.
    private var known: [String] = []

    public init(_ members: [JSON.Member], path: String = "") {
        self.path = path
        keyOrder = KeyOrder(members)
        rest = members
    }

    public var isValid: Bool { problems.isEmpty }

    // MARK: Members

    public func has(_ key: some MemberName) -> Bool {
        rest.contains { $0.key == key.memberName }
    }

    public mutating func take(_ key: some MemberName) -> JSON? {
        let name = key.memberName
        known.append(name)
        guard let index = rest.firstIndex(where: { $0.key == name }) else { return nil }
        return rest.remove(at: index).value
    }

    /// Takes a member whose value is null, which clears a field. False, and nothing taken, for any other value.
    public mutating func takeNull(_ key: some MemberName) -> Bool {
        guard rest.contains(where: { $0.key == key.memberName && $0.value == .null }) else { return false }
        _ = take(key)
        return true
    }

    /// Drops the members whose value is null.
    public mutating func dropNulls() {
        rest.removeAll { $0.value == .null }
    }

    /// Takes all members that are left without reading them, for an object whose kind is unknown.
    public mutating func skipRest() {
        rest = []
    }

    /// Adds a problem for each member that is absent.
    public mutating func require<Key: MemberName>(_ keys: Key...) {
        for key in keys where !has(key) { refuse(key, "missing", "is required") }
    }

    /// Adds a problem for each member that was not taken, with the known name that its author may have meant.
    public mutating func refuseRest() {
        for member in rest {
            let suggestion = Spelling.nearest(to: member.key, among: known).map { "; did you mean \($0)?" } ?? ""
            refuse(member.key, "unknown-field", "is not a known field\(suggestion)")
        }
        rest = []
    }

    // MARK: Problems

    public mutating func refuse(_ key: some MemberName, _ code: String, _ message: String) {
        problems.append(.error(path(of: key), code, message))
    }

    /// Adds a problem at a path below this object that is not a single key: `actions[1]`, by `ProblemPath`.
    public mutating func refuse(at path: String, _ code: String, _ message: String) {
        problems.append(.error(ProblemPath.joined(self.path, path), code, message))
    }

    public mutating func refuse(_ more: [Problem]) {
        problems += more
    }

    public mutating func wrongType(_ key: some MemberName, _ wanted: String, _ found: JSON) {
        refuse(key, "wrong-type", "must be \(wanted), not \(found.summary)")
    }

    // MARK: Objects inside

    /// The object under `key` as `read` makes it. `read` takes the members it knows; its problems are added here.
    public mutating func object<Value>(
        _ key: some MemberName, _ read: (inout ObjectReader) -> Value
    ) -> Value? {
        members(key).map { object(key, $0, read) }
    }

    /// As above, for a value that was taken already.
    public mutating func object<Value>(
        _ key: some MemberName, _ members: [JSON.Member], _ read: (inout ObjectReader) -> Value
    ) -> Value {
        object(members, fullPath: path(of: key), read)
    }

    /// As above, at a path below this object that is not a single key: `actions[1]`, by `ProblemPath`.
    public mutating func object<Value>(
        at path: String, _ members: [JSON.Member], _ read: (inout ObjectReader) -> Value
    ) -> Value {
        object(members, fullPath: ProblemPath.joined(self.path, path), read)
    }

    private mutating func object<Value>(
        _ members: [JSON.Member], fullPath: String, _ read: (inout ObjectReader) -> Value
    ) -> Value {
        var reader = ObjectReader(members, path: fullPath)
        let value = read(&reader)
        problems += reader.problems
        return value
    }

    private func path(of key: some MemberName) -> String {
        ProblemPath.member(key.memberName, of: path)
    }
}
