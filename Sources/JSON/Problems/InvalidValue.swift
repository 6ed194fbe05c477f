/// Why a text is not a valid value of some type. It never contains the text itself, which may be a secret.
public struct InvalidValue: Error, Sendable, Equatable, CustomStringConvertible {
    /// Stable, in kebab-case.
    public let code: String
    /// Continues a sentence that begins with the field's name: "must be …".
    public let message: Message

    public init(_ code: String, _ message: Message) {
        self.code = code
        self.message = message
    }

    public var description: String { message.description }

    /// The same error as a problem of the field at `path`.
    public func problem(at path: String) -> Problem {
        Problem(path: path, code: code, message: message)
    }
}
