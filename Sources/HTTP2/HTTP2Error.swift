internal import CNGHTTP2
public import TLS

/// The reason why an HTTP/2 connection ended or could not start.
public enum HTTP2Error: Error, Equatable, CustomStringConvertible {
    /// The peer closed the connection, or the network did.
    case closed
    /// Reading or writing failed.
    case transport(TLSError)
    /// The peer violated the protocol; the string is nghttp2's message.
    case protocolViolated(String)
    /// The peer does not speak HTTP/2.
    case notAgreed

    init(code: Int32) {
        self = .protocolViolated(String(cString: nghttp2_strerror(code)))
    }

    public var description: String {
        switch self {
        case .closed: "the connection was closed"
        case .transport(let error): error.description
        case .protocolViolated(let reason): "HTTP/2: \(reason)"
        case .notAgreed: "the peer does not speak HTTP/2"
        }
    }
}

/// Error codes of RST_STREAM and GOAWAY (RFC 9113 §7).
public struct HTTP2Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let noError = HTTP2Code(rawValue: 0)
    public static let protocolError = HTTP2Code(rawValue: 1)
    public static let internalError = HTTP2Code(rawValue: 2)
    /// The peer has not processed the request, so it may be retried (RFC 9113 §8.7).
    public static let refusedStream = HTTP2Code(rawValue: 7)
    public static let cancel = HTTP2Code(rawValue: 8)
    public static let enhanceYourCalm = HTTP2Code(rawValue: 11)
}
