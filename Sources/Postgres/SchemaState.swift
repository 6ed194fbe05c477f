/// The schema of a database: how many migrations it has, and which programs work with it.
public struct SchemaState: Equatable, Sendable {
    /// The number of the last migration that was applied; 0 without any.
    public let number: Int32
    /// The lowest number of migrations of a program that works with it.
    public let oldestProgram: Int32

    public init(number: Int32, oldestProgram: Int32) {
        (self.number, self.oldestProgram) = (number, oldestProgram)
    }
}

/// The schemas that a program works with. They are a range, so that programs of two versions can run at the same time.
public struct ProgramSchema: Equatable, Sendable {
    /// The number of migrations that the program has.
    public let number: Int32
    /// The number of the last migration that the program needs. Those after it take away what it does not need.
    public let needed: Int32

    public init(number: Int32, needed: Int32) {
        (self.number, self.needed) = (number, needed)
    }

    public func works(with state: SchemaState) -> Bool { state.number >= needed && state.oldestProgram <= number }
}
