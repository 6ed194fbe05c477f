import JSON

/// Parts of values of which nothing is known: nil where they are something else.
extension JSON {
    var asText: String? { if case .string(let text) = self { text } else { nil } }
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }
    var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
}
