/// A finding about a payload or another document that a person should know before it is saved or sent.
public struct Problem: Sendable, Equatable {
    /// The location: `aps.badge`, `aps.alert.loc-args[1]`, a custom key, or a header; empty for the whole payload.
    /// A key that contains a dot or a bracket is quoted: `["a.b"].c`. The path of a missing value is where it belongs.
    public let path: String
    /// Stable, in kebab-case, for programs and translations: the same problem has the same code at every path.
    public let code: String
    /// The error and its remedy; it continues the path to a sentence: "must be a whole number, like 2, …".
    public let message: Message
    public let severity: Severity
    /// A change of the text at `path` that solves the problem; nil when a person must decide.
    public let fix: Fix?

    /// Every `from` in the text is to be replaced.
    public struct Fix: Sendable, Equatable {
        public let from: String
        public let to: String

        public init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    /// Only errors prevent a payload from being saved or sent.
    public enum Severity: String, Sendable, CaseIterable {
        case error
        /// Apple accepts it, but it does not do what its author probably wants.
        case warning
        /// Nothing is wrong, but a person should know it: a legacy key, an entitlement that the app needs.
        case note
    }

    public init(path: String, code: String, message: Message, severity: Severity = .error, fix: Fix? = nil) {
        self.path = path
        self.code = code
        self.message = message
        self.severity = severity
        self.fix = fix
    }

    public static func error(_ path: String, _ code: String, _ message: Message) -> Problem {
        Problem(path: path, code: code, message: message)
    }

    public static func warning(_ path: String, _ code: String, _ message: Message) -> Problem {
        Problem(path: path, code: code, message: message, severity: .warning)
    }

    public static func note(_ path: String, _ code: String, _ message: Message) -> Problem {
        Problem(path: path, code: code, message: message, severity: .note)
    }
}
