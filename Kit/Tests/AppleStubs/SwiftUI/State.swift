import Foundation

@propertyWrapper
public struct State<Value> {
    private let value: Value

    public init(wrappedValue: Value) { value = wrappedValue }

    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }

    public var projectedValue: Binding<Value> { Binding(get: { wrappedValue }, set: { _ in }) }
}

@propertyWrapper
public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
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
