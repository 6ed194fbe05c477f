import JSON
import Notifications

/// An error in a template's text, with its position.
struct LiquidError: Error, Equatable, Sendable {
    /// Stable, in kebab-case.
    let code: String
    /// Bytes of UTF-8 before what is at fault.
    let offset: Int
    /// For the author of the text; a sentence without its full stop.
    let message: Message
    /// Mends the whole tag.
    var fix: Problem.Fix?

    /// The same as a problem of the text at `path`, with the position in characters, as an editor counts them.
    func problem(at path: String, in source: String) -> Problem {
        let utf8 = source.utf8
        let end = utf8.index(utf8.startIndex, offsetBy: min(offset, utf8.count))
        return Problem(
            path: path, code: code, message: "\(message) (at character \(source[..<end].count + 1))", fix: fix)
    }
}

/// All that is wrong with a template's text, in the order of the text. Never empty.
struct LiquidErrors: Error, Equatable, Sendable {
    let errors: [LiquidError]
}
