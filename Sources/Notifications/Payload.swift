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
    public init(json: JSON) throws(PayloadProblems) {
        guard case .object(let members) = json else {
            let message = "the payload must be an object, like {\"aps\":{}}, not \(json.words)"
            throw PayloadProblems([Problem(path: "", code: "wrong-type", message: message)])
        }
        var reader = ObjectReader(members, path: "")
        aps = reader.object(Key.aps) { APS(&$0) }
        custom = reader.rest
        keyOrder = reader.keyOrder
        let problems = json.structureProblems() + reader.problems
        guard problems.isEmpty else { throw PayloadProblems(problems) }
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

    enum Key: String {
        case aps
    }
}
