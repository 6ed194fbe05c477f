import HTTPTypes

/// A parsed request line, such as "GET /v1/apps?limit=10 HTTP/1.1" (RFC 9112 §3).
struct RequestLine {
    var method: HTTPRequest.Method
    /// Path and query, or "*".
    var target: String
    /// Set by the absolute form of the target; it then replaces the Host field (RFC 9112 §3.2.2).
    var authority: String?
    var isVersion10: Bool

    init(_ line: UnsafeRawBufferPointer) throws(HTTPError) {
        guard let methodEnd = line.firstIndex(of: .space), let targetEnd = line.lastIndex(of: .space),
            methodEnd < targetEnd
        else { throw .malformed("The request line must contain a method, a target and a version.") }
        method = try Self.method(UnsafeRawBufferPointer(rebasing: line[..<methodEnd]))
        isVersion10 = try Self.isVersion10(UnsafeRawBufferPointer(rebasing: line[(targetEnd + 1)...]))
        let bytes = UnsafeRawBufferPointer(rebasing: line[(methodEnd + 1)..<targetEnd])
        guard let first = bytes.first, bytes.allSatisfy({ $0.isVisible && $0 != UInt8(ascii: "#") }) else {
            throw .malformed("The request target contains bytes that must be percent-encoded.")
        }
        guard method != .connect else { throw .unsupportedMethod }
        if first == .slash {
            target = String(decoding: bytes, as: UTF8.self)
        } else if first == UInt8(ascii: "*"), bytes.count == 1, method == .options {
            target = "*"
        } else {
            (authority, target) = try Self.absoluteForm(bytes)
        }
    }

    private static func method(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) -> HTTPRequest.Method {
        if bytes.elementsEqual("GET".utf8) { return .get }
        if bytes.elementsEqual("POST".utf8) { return .post }
        guard let method = HTTPRequest.Method(String(decoding: bytes, as: UTF8.self)) else {
            throw .malformed("The method is not a token.")
        }
        return method
    }

    private static func isVersion10(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) -> Bool {
        if bytes.elementsEqual("HTTP/1.1".utf8) { return false }
        if bytes.elementsEqual("HTTP/1.0".utf8) { return true }
        let prefix = "HTTP/".utf8
        guard bytes.count == 8, bytes.starts(with: prefix), bytes[5].isDigit, bytes[6] == UInt8(ascii: "."),
            bytes[7].isDigit
        else { throw .malformed("The request line must end with an HTTP version.") }
        throw .unsupportedVersion
    }

    private static func absoluteForm(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) -> (String, String) {
        for scheme in ["http://", "https://"]
        where bytes.count > scheme.utf8.count
            && FieldNames.equals(
                UnsafeRawBufferPointer(rebasing: bytes[..<scheme.utf8.count]), lowercase: Array(scheme.utf8))
        {
            let rest = bytes[scheme.utf8.count...]
            let end = rest.firstIndex { $0 == .slash || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            let authority = UnsafeRawBufferPointer(rebasing: rest[..<end])
            guard Host.isValid(authority) else { throw .malformed("The request target's host is not valid.") }
            let path = String(decoding: rest[end...], as: UTF8.self)
            return (String(decoding: authority, as: UTF8.self), path.hasPrefix("/") ? path : "/" + path)
        }
        throw .malformed("The request target must be a path.")
    }
}
