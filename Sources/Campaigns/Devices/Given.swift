/// A value that may not have been mentioned: absent, null and a value are three things.
public enum Given<Value: Sendable>: Sendable {
    /// Stays as it is.
    case absent
    /// Is cleared.
    case null
    case value(Value)

    public var isGiven: Bool { if case .absent = self { false } else { true } }
    public var value: Value? { if case .value(let value) = self { value } else { nil } }

    /// This, unless a later word on the matter was given.
    public func overridden(by later: Given) -> Given { later.isGiven ? later : self }
}

extension Given: Equatable where Value: Equatable {}
