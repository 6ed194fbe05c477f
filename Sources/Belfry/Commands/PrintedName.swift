import ArgumentParser
import JSON

extension String {
    /// For a terminal, which would obey control characters: they are shown by their numbers, as \u{1B}. Names from
    /// before they were checked can contain some.
    var printable: String {
        guard unicodeScalars.contains(where: \.isUnsafeInNames) else { return self }
        return unicodeScalars.map { $0.isUnsafeInNames ? "\\u{\($0.hexadecimal)}" : String($0) }.joined()
    }
}

/// The name that an option gives, by the rule of the API.
func validatedName(_ option: String, _ text: String, length: ClosedRange<Int> = 1...100) throws -> String {
    guard length.contains(text.count) else {
        throw ValidationError("--\(option) must have \(length.lowerBound) to \(length.upperBound) characters.")
    }
    if let problem = NameText.problem(text) { throw ValidationError("--\(option) \(problem.message).") }
    return text
}
