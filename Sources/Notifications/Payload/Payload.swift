public import JSON

/// What goes to the phone: Apple's dictionary, and beside it the app's own keys.
public struct Payload: Sendable, Equatable {
    /// Nil if the key is absent, which MDM and PushKit pushes may do.
    public var aps: APS?
    /// The app's own members beside `aps`, in their order. `aps` must not be one of them.
    public var custom: [JSON.Member]
    private var keyOrder = KeyOrder()

    public init(aps: APS? = nil, custom: [JSON.Member] = []) {
        self.aps = aps
        self.custom = custom
    }

    /// Reads every key that is known and keeps the others as they are. Refuses values that Apple would not understand,
    /// all at once. What depends on the push type or the headers is checked by `PushRules`.
    public init(json: JSON) throws(Problems) {
        let (payload, problems) = Self.reading(json)
        guard problems.isEmpty else { throw Problems(problems) }
        self = payload
    }

    /// As much of `json` as can be read, and what is wrong with the rest.
    static func reading(_ json: JSON) -> (payload: Payload, problems: [Problem]) {
        var payload = Payload()
        guard case .object(let members) = json else {
            let message = "the payload must be an object, like {\"aps\":{}}, not \(json.summary)"
            return (payload, [.error("", "wrong-type", message)])
        }
        var reader = ObjectReader(members, path: "")
        payload.aps = reader.object(Key.aps) { APS(&$0) }
        payload.custom = reader.rest
        payload.keyOrder = reader.keyOrder
        return (payload, json.structureProblems() + reader.problems)
    }

    /// As it was read, key for key. Of what was not read `aps` comes first, and inside it Apple's keys.
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
