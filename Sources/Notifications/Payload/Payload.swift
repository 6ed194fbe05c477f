public import JSON

/// The payload of a push: Apple's dictionary `aps`, and the app's own keys.
public struct Payload: Sendable, Equatable {
    /// Nil if the key is absent, which is allowed in MDM and PushKit pushes.
    public var aps: APS?
    /// The app's own members beside `aps`, in their order. `aps` must not be one of them.
    public var custom: [JSON.Member]
    private var keyOrder = KeyOrder()

    public init(aps: APS? = nil, custom: [JSON.Member] = []) {
        self.aps = aps
        self.custom = custom
    }

    /// Reads all known keys and preserves the others. Throws all problems with values that Apple would not understand.
    /// `PushRules` checks what depends on the push type or the headers.
    public init(json: JSON) throws(Problems) {
        let (payload, problems) = Self.reading(json)
        guard problems.isEmpty else { throw Problems(problems) }
        self = payload
    }

    /// Reads as much of `json` as possible; the problems describe the rest.
    static func reading(_ json: JSON) -> (payload: Payload, problems: [Problem]) {
        var payload = Payload()
        guard case .object(let members) = json else {
            let message: Message = "the payload must be an object, like {\"aps\":{}}, not \(json.summary)"
            return (payload, [.error("", "wrong-type", message)])
        }
        var reader = ObjectReader(members, path: "")
        payload.aps = reader.object(Key.aps) { APS(&$0) }
        payload.custom = reader.rest
        payload.keyOrder = reader.keyOrder
        return (payload, json.structureProblems() + reader.problems)
    }

    /// With the keys in the order in which they were read. In a payload built in code, `aps` comes first.
    public var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.aps, aps?.json)
        return .object(keyOrder.arranged(members + custom))
    }

    /// The bytes of the request's body.
    public func encoded() -> [UInt8] {
        json.encoded()
    }

    enum Key: String, MemberName {
        case aps
    }
}
