public import Notifications

/// Looks at a file elsewhere on the web. Who builds the process fills it: the API knows no HTTP client.
public protocol MediaProbe: Sendable {
    /// Never takes long, and never goes to an address that is not public.
    func look(at url: MediaURL) async -> MediaLook
}

/// What a look at a file gave.
public enum MediaLook: Equatable, Sendable {
    /// The first `MediaType.prefixSize` bytes, of a shorter file all; and the size in bytes, if the server says it.
    case found(prefix: [UInt8], size: Int?)
    /// Why nothing could be seen, in words that follow on "could not be looked at:".
    case unreachable(String)
    /// The host's address is not public, by this rule: "127.0.0.0/8, this machine itself".
    case forbidden(String)
}
