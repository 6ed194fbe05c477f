import Foundation

@propertyWrapper
public struct State<Value> {
    private let value: Value

    public init(wrappedValue: Value) { value = wrappedValue }

    public init(initialValue value: Value) { self.value = value }

    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }

    public var projectedValue: Binding<Value> { Binding(stub: value) }
}

@propertyWrapper
public struct Binding<Value> {
    private let value: Value

    /// Stub only.
    init(stub value: Value) { self.value = value }

    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
}

@propertyWrapper
public struct Environment<Value> {
    private let path: KeyPath<EnvironmentValues, Value>

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { path = keyPath }

    public var wrappedValue: Value { EnvironmentValues()[keyPath: path] }
}

public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
}
