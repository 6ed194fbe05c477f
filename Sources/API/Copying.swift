import HTTPServer
import JSON
import Store

extension AppCall {
    private static var suffix: String { " (copy)" }

    /// The name of a copy: the `name` in the body, or the original's name with " (copy)".
    func nameOfCopy(of original: String, maximumLength: Int = EntryName.maximumLength) async throws -> String {
        // Many clients send a content type without a body.
        if request.body.declaredLength != 0 {
            var body = try await ObjectReader(request)
            let name = body.text("name", length: 1...maximumLength)
            try body.finish()
            if let name { return name }
        }
        // PostgreSQL's char_length counts scalars.
        let scalars = original.unicodeScalars.prefix(maximumLength - Self.suffix.unicodeScalars.count)
        return String(String.UnicodeScalarView(scalars)) + Self.suffix
    }
}
