import HTTPTypes

/// Collects the header lines of one request and derives its framing from them.
///
/// Input that two servers might interpret differently is rejected, to prevent request smuggling (RFC 9112 §11.2).
struct RequestFields {
    private var fields = HTTPFields()
    private var host: String?
    private var contentLength: Int?
    private var isChunked = false
    private var expectsContinue = false
    private var wantsClose = false
    private var labels = RequestLabels()
    private(set) var count = 0

    mutating func add(_ line: UnsafeRawBufferPointer) throws(HTTPError) {
        count += 1
        guard let colon = line.firstIndex(of: .colon) else { throw .malformed("A header line has no colon.") }
        // An obsolete folded line begins with a blank. Neither that nor a blank before the colon is part of a token.
        let nameBytes = UnsafeRawBufferPointer(rebasing: line[..<colon])
        var start = colon + 1
        var end = line.endIndex
        while start < end, line[start].isBlank { start += 1 }
        while end > start, line[end - 1].isBlank { end -= 1 }
        let value = UnsafeRawBufferPointer(rebasing: line[start..<end])
        guard value.allSatisfy(\.isFieldValue) else { throw .malformed("A header value contains a control character.") }

        if FieldNames.equals(nameBytes, lowercase: Self.hostName) { return try takeHost(value) }
        guard let name = FieldNames.name(nameBytes) else { throw .malformed("A header name is not a token.") }
        switch name {
        case .contentLength: try takeContentLength(value)
        case .transferEncoding: try takeTransferEncoding(value)
        case .expect:
            guard FieldNames.equals(value, lowercase: Self.continueExpectation) else { throw .expectationFailed }
            expectsContinue = true
        case .connection: takeConnection(value)
        default: break
        }
        labels.take(nameBytes, value)
        fields.append(HTTPField(name: name, lenientValue: value))
    }

    /// Returns the head, after the empty line has arrived.
    consuming func finish(_ line: RequestLine) throws(HTTPError) -> RequestHead {
        guard contentLength == nil || !isChunked else {
            throw .malformed("Content-Length can't be combined with Transfer-Encoding.")
        }
        if line.isVersion10 {
            guard !isChunked else { throw .malformed("Transfer-Encoding can't be used with HTTP/1.0.") }
        } else {
            guard host != nil else { throw .malformed("The Host field is required.") }
        }
        let request = HTTPRequest(
            method: line.method, scheme: nil, authority: line.authority ?? host, path: line.target,
            headerFields: fields)
        var head = RequestHead(request: request)
        if isChunked {
            head.framing = .chunked
        } else if let contentLength, contentLength > 0 {
            head.framing = .length(contentLength)
        }
        head.isVersion10 = line.isVersion10
        head.expectsContinue = expectsContinue && !line.isVersion10 && head.framing != .none
        head.labels = labels
        head.wantsClose = wantsClose || line.isVersion10
        return head
    }

    private mutating func takeHost(_ value: UnsafeRawBufferPointer) throws(HTTPError) {
        guard host == nil else { throw .malformed("The Host field is repeated.") }
        guard Host.isValid(value) else { throw .malformed("The Host field is not valid.") }
        host = String(decoding: value, as: UTF8.self)
    }

    private mutating func takeContentLength(_ value: UnsafeRawBufferPointer) throws(HTTPError) {
        guard contentLength == nil else { throw .malformed("Content-Length is repeated.") }
        guard !value.isEmpty, value.allSatisfy(\.isDigit) else {
            throw .malformed("Content-Length is not a number.")
        }
        guard value.count <= Self.maximumLengthDigits else {
            throw .contentLengthTooLong(digits: Self.maximumLengthDigits)
        }
        contentLength = value.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private mutating func takeTransferEncoding(_ value: UnsafeRawBufferPointer) throws(HTTPError) {
        guard !isChunked else { throw .malformed("Transfer-Encoding is repeated.") }
        guard FieldNames.equals(value, lowercase: Self.chunked) else { throw .unsupportedCoding }
        isChunked = true
    }

    private mutating func takeConnection(_ value: UnsafeRawBufferPointer) {
        for option in value.split(separator: UInt8(ascii: ",")) {
            let option = option.filter { !$0.isBlank }
            if option.count == 5, option.map(\.lowercased) == Self.close { wantsClose = true }
        }
    }

    /// 18 digits always fit an `Int`.
    private static let maximumLengthDigits = 18
    private static let hostName = Array("host".utf8)
    private static let chunked = Array("chunked".utf8)
    private static let close = Array("close".utf8)
    private static let continueExpectation = Array("100-continue".utf8)
}
