/// Something that the developers of the app should know. Log it in debug builds: it never contains a token, an
/// installation, or a text of a person.
public struct Diagnostic: Sendable, Equatable, CustomStringConvertible {
    /// The part that has the fault.
    public enum Kind: String, Sendable {
        /// The address or the key is wrong. It is reported once, and nothing is sent until the next launch.
        case configuration
        /// The server will never take this request or event, so it was dropped.
        case refused
        /// The server took the request, and found something that is probably a mistake.
        case warning
        /// The answer is not what this version of the kit can read.
        case unreadable
        /// A file or the Keychain could not be read or written.
        case storage
        /// The file of a push can't be shown. The notification shows its text.
        case attachment
    }

    /// Tells whether the app, the server or the device is at fault.
    public let kind: Kind
    /// Stable, in kebab-case: the server's code, or the kit's.
    public let code: String
    /// A sentence: what is wrong, then what to do.
    public let message: String

    /// `message` must not contain a token, an installation or a text of a person.
    public init(_ kind: Kind, _ code: String, _ message: String) {
        self.kind = kind
        self.code = code
        self.message = message
    }

    public var description: String { "\(kind.rawValue) \(code): \(message)" }
}
