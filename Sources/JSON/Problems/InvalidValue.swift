/// Why a text is not an identifier of some kind. It never holds the text itself, which may be a secret.
public struct InvalidValue: Error, Sendable, Equatable, CustomStringConvertible {
    /// Stable, in kebab-case.
    public let code: String
    /// In words that follow on the field's name: "must be …".
    public let message: String

    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    /// The same as a problem of the field at `path`.
    public func problem(at path: String) -> Problem {
        Problem(path: path, code: code, message: message)
    }
}
