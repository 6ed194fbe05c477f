public import Notifications

/// Checks a file on another web server. The process provides the implementation, because the API has no HTTP client.
public protocol MediaProbe: Sendable {
    /// Returns within a few seconds, and never connects to an address that is not public.
    func probe(at url: MediaURL) async -> MediaProbeResult
}

/// The result of checking a file.
public enum MediaProbeResult: Equatable, Sendable {
    /// The first `MediaType.prefixSize` bytes (all bytes of a shorter file), and the size in bytes if the server sends
    /// it.
    case found(prefix: [UInt8], size: Int?)
    /// Why the file could not be fetched, as a text that follows "could not be checked:".
    case unreachable(String)
    /// The host's address is not public; the text is the rule, like "127.0.0.0/8, this machine itself".
    case forbidden(String)
}
