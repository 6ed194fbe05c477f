/// The result of applying a Range field to a content of a given size (RFC 9110 §14).
enum ByteRange: Equatable {
    case satisfiable(Range<Int>)
    case unsatisfiable
    /// Another unit, several ranges or invalid syntax: the whole content is sent, as RFC 9110 §14.2 allows.
    case ignored

    init(_ field: String, size: Int) {
        self = .ignored
        guard field.lowercased().hasPrefix("bytes=") else { return }
        let parts = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else { return }
        switch (Self.number(parts[0]), Self.number(parts[1])) {
        case (let first?, let last?):
            guard first <= last else { return }
            self = first < size ? .satisfiable(first..<min(last, size - 1) + 1) : .unsatisfiable
        case (let first?, nil): self = first < size ? .satisfiable(first..<size) : .unsatisfiable
        case (nil, let suffix?):
            self = suffix > 0 && size > 0 ? .satisfiable(size - min(suffix, size)..<size) : .unsatisfiable
        case (nil, nil): return
        }
    }

    /// Returns nil for no digits. A number that overflows is larger than any file.
    private static func number(_ digits: Substring) -> Int? {
        digits.isEmpty ? nil : Int(digits) ?? .max
    }
}
