/// A Range field against a size (RFC 9110 §14).
enum ByteRange: Equatable {
    case satisfiable(Range<Int>)
    case unsatisfiable
    /// Not bytes, several ranges or nonsense: all of it is sent, as RFC 9110 §14.2 allows.
    case ignored

    init(_ field: String, size: Int) {
        self = .ignored
        guard field.lowercased().hasPrefix("bytes=") else { return }
        let parts = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count <= 18 && $0.utf8.allSatisfy(\.isDigit) }) else {
            return
        }
        switch (Int(parts[0]), Int(parts[1])) {
        case (let first?, let last?):
            guard first <= last else { return }
            self = first < size ? .satisfiable(first..<min(last + 1, size)) : .unsatisfiable
        case (let first?, nil): self = first < size ? .satisfiable(first..<size) : .unsatisfiable
        case (nil, let suffix?):
            self = suffix > 0 && size > 0 ? .satisfiable(max(0, size - suffix)..<size) : .unsatisfiable
        case (nil, nil): return
        }
    }
}
