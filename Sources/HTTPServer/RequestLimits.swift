/// The limits on a request, enforced before its content is interpreted.
public struct RequestLimits: Sendable {
    /// Bytes of the request line without its CRLF; beyond: 414.
    public var requestLineBytes = 8 * 1024
    /// Bytes of all header lines with their CRLFs; beyond: 431.
    public var headerBytes = 16 * 1024
    /// Header lines; beyond: 431.
    public var headerFields = 100
    /// Bytes of one chunk's size line, extensions included; beyond: 400.
    public var chunkLineBytes = 256
    /// Bytes of all trailer lines, which are checked and dropped; beyond: 431.
    public var trailerBytes = 4 * 1024

    public init() {}
}
