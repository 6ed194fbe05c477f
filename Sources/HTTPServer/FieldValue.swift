public import HTTPTypes

extension HTTPFields {
    /// What the subscript gives, values of a repeated field joined by commas, at less cost for one that stands once.
    public func value(_ name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            guard found == nil else { return self[name] }
            found = field.value
        }
        return found
    }
}
