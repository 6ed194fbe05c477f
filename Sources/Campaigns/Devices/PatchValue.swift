/// A member of a partial update: absent, null or a value.
public enum PatchValue<Value: Sendable>: Sendable {
    /// The stored value is unchanged.
    case absent
    /// The stored value is cleared.
    case null
    case value(Value)

    public var isGiven: Bool { if case .absent = self { false } else { true } }
    public var value: Value? { if case .value(let value) = self { value } else { nil } }

    /// The value of `later` if it is given, otherwise this one.
    public func overridden(by later: PatchValue) -> PatchValue { later.isGiven ? later : self }

    public func map(_ change: (Value) -> Value) -> PatchValue {
        if case .value(let value) = self { .value(change(value)) } else { self }
    }
}

extension PatchValue: Equatable where Value: Equatable {}
