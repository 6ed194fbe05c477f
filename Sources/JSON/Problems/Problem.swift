/// Something about a payload or its headers that a person should know before it is sent.
public struct Problem: Sendable, Equatable {
    /// Where: `aps.badge`, `aps.alert.loc-args[1]`, a custom key, or a header's name; empty for the payload as a whole.
    /// A key that holds a dot or a bracket is quoted: `["a.b"].c`. What is missing has the path where it should stand.
    public let path: String
    /// Stable, in kebab-case, for programs and translations: the same fault has the same code at every path.
    public let code: String
    /// What is wrong and what would be right, in words that follow on the path: "must be a whole number, like 2, …".
    public let message: String
    public let severity: Severity

    /// Only an error keeps a payload from being saved or sent.
    public enum Severity: String, Sendable, CaseIterable {
        case error
        /// Apple accepts it, and it does not do what its author seems to want.
        case warning
        /// Nothing is wrong, but there is something to know: a legacy key, an entitlement that the app must have.
        case note
    }

    public init(path: String, code: String, message: String, severity: Severity = .error) {
        self.path = path
        self.code = code
        self.message = message
        self.severity = severity
    }

    public static func error(_ path: String, _ code: String, _ message: String) -> Problem {
        Problem(path: path, code: code, message: message)
    }

    public static func warning(_ path: String, _ code: String, _ message: String) -> Problem {
        Problem(path: path, code: code, message: message, severity: .warning)
    }

    public static func note(_ path: String, _ code: String, _ message: String) -> Problem {
        Problem(path: path, code: code, message: message, severity: .note)
    }
}
