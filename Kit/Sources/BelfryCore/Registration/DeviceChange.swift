/// Changes to what belongs to the device or to the person who is logged in, and is not stated with each registration.
/// Values that are not named stay.
public struct DeviceChange: Sendable {
    /// The values that change on one side.
    public struct Values: Sendable {
        /// Tags that the device or the person has already stay once.
        public var addedTags: [String] = []
        /// A tag that is not there is no error.
        public var removedTags: [String] = []
        /// Keys of topics, or `*` for all campaigns.
        public var addedOptOuts: [String] = []
        /// Takes back the choice of a person.
        public var removedOptOuts: [String] = []
        /// A value of null removes the attribute.
        public var attributes: [String: JSONValue] = [:]

        /// Changes nothing.
        public init() {}

        var members: [String: JSONValue] {
            let lists = [
                "add_tags": addedTags, "remove_tags": removedTags, "add_opt_outs": addedOptOuts,
                "remove_opt_outs": removedOptOuts,
            ]
            var members = lists.filter { !$0.value.isEmpty }.mapValues { JSONValue.array($0.map(JSONValue.string)) }
            if !attributes.isEmpty { members["attributes"] = .object(attributes) }
            return members
        }
    }

    /// Of this installation: they stay when the person logs out.
    public var device = Values()
    /// Of the person, on all devices. They are left out while nobody is logged in.
    public var person = Values()

    /// Changes nothing.
    public init() {}

    var members: [String: JSONValue] {
        var members = device.members
        let person = person.members
        if !person.isEmpty { members["person"] = .object(person) }
        return members
    }
}
