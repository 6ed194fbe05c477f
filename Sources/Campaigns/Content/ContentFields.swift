/// The columns that content needs from the store, each once, in the order of first use.
public struct ContentFields: Sendable {
    private(set) var needs: [Field] = []

    public init() {}

    /// The index of the field in `needs`, which is added if it is new.
    mutating func index(of field: Field) -> Int32 {
        if let index = needs.firstIndex(of: field) { return Int32(index) }
        needs.append(field)
        return Int32(needs.count - 1)
    }

    mutating func operand(_ field: Field) -> ContentProgram.Operand {
        switch field {
        case .device(.language): .language(index(of: .device(.locale)))
        case .device: .column(index(of: field))
        case .attribute: .attribute(index(of: field))
        }
    }
}
