public import HTTPTypes

extension HTTPFields {
    /// Returns the same value as the subscript, with the values of a repeated field joined by commas. It is faster for
    /// a field that occurs once.
    public func value(_ name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            guard found == nil else { return self[name] }
            found = field.value
        }
        return found
    }
}
