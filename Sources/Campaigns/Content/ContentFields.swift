/// The columns that a content asks the store for, each once, in the order of their first use.
struct ContentFields {
    private(set) var needs: [Field] = []

    /// The place of a field that is a column.
    mutating func place(of field: Field) -> Int32 {
        if let place = needs.firstIndex(of: field) { return Int32(place) }
        needs.append(field)
        return Int32(needs.count - 1)
    }

    mutating func operand(_ field: Field) -> ContentProgram.Operand {
        switch field {
        case .device(.language): .language(place(of: .device(.locale)))
        case .device: .column(place(of: field))
        case .attribute: .attribute(place(of: field))
        }
    }
}
