import Glibc
import HTTPTypes

/// A parser for HTTP/1.1 responses (RFC 9112), for any number of requests in order.
struct ResponseParser {
    enum Event {
        case head(HTTPResponse)
        case body([UInt8])
        /// The response is complete. `keeps` says whether the connection stays open for another.
        case end(keeps: Bool)
        case malformed(String)
    }

    private enum State {
        case statusLine
        case fields
        case fixedBody(Int)
        case untilClose
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case end
        case failed
    }

    /// The maximum size of a status line and its header, or of all trailers, in bytes.
    static let maximumHeadBytes = 32 * 1024

    private var buffer: [UInt8] = []
    private var start = 0
    private var state = State.statusLine
    private var status = HTTPResponse.Status(code: 0)
    private var keepsAlive = true
    private var fields = HTTPFields()
    private var headBytes = 0
    private var contentLength: Int?
    private var isChunked = false

    /// Whether no byte of a next response has arrived.
    var isBetweenResponses: Bool {
        if case .statusLine = state { return start == buffer.count }
        return false
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 64 * 1024)
            start = 0
        } else if start > 64 * 1024 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next event, or nil if more bytes are needed. `toHead` says whether the response answers a HEAD
    /// request and therefore has no body, regardless of its header.
    mutating func next(toHead: Bool) -> Event? {
        while true {
            switch state {
            case .statusLine:
                guard let line = nextLine() else { return tooLong() }
                guard readStatusLine(line) else { return fail("the status line") }
                state = .fields
            case .fields:
                guard let line = nextLine() else { return tooLong() }
                if line.isEmpty {
                    // 100 Continue and other interim responses (RFC 9110 §15.2).
                    if status.kind == .informational {
                        startOver()
                        continue
                    }
                    return finishHead(toHead: toHead)
                }
                guard readField(line) else { return fail("a header line") }
            case .fixedBody(let remaining):
                guard let bytes = take(remaining) else { return nil }
                state = bytes.count == remaining ? .end : .fixedBody(remaining - bytes.count)
                return .body(bytes)
            case .untilClose:
                guard let bytes = take(.max) else { return nil }
                return .body(bytes)
            case .chunkSize:
                guard let line = nextLine() else { return tooLong() }
                let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
                guard digits.count <= 15, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0
                else { return fail("a chunk's size") }
                headBytes = 0
                state = size == 0 ? .trailers : .chunk(size)
            case .chunk(let remaining):
                guard let bytes = take(remaining) else { return nil }
                state = bytes.count == remaining ? .chunkEnd : .chunk(remaining - bytes.count)
                return .body(bytes)
            case .chunkEnd:
                guard let line = nextLine() else { return tooLong() }
                guard line.isEmpty else { return fail("the end of a chunk") }
                state = .chunkSize
            case .trailers:
                guard let line = nextLine() else { return tooLong() }
                if line.isEmpty { state = .end }
            case .end:
                let event = Event.end(keeps: keepsAlive)
                startOver()
                return event
            case .failed: return nil
            }
        }
    }

    /// Handles the end of the connection. Returns true if it is the regular end of the body.
    mutating func finish() -> Bool {
        guard case .untilClose = state else { return false }
        startOver()
        return true
    }

    private mutating func startOver() {
        state = .statusLine
        fields = HTTPFields()
        headBytes = 0
        contentLength = nil
        isChunked = false
        keepsAlive = true
    }

    private mutating func fail(_ part: String) -> Event {
        state = .failed
        return .malformed("\(part) is malformed")
    }

    private mutating func tooLong() -> Event? {
        guard headBytes + buffer.count - start > Self.maximumHeadBytes else { return nil }
        state = .failed
        return .malformed("the header is larger than \(Self.maximumHeadBytes) bytes")
    }

    private mutating func nextLine() -> ArraySlice<UInt8>? {
        guard headBytes <= Self.maximumHeadBytes, let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) else {
            return nil
        }
        let line = buffer[start..<end]
        headBytes += line.count + 1
        start = end + 1
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        let count = min(count, buffer.count - start)
        guard count > 0 else { return nil }
        defer { start += count }
        return Array(buffer[start..<(start + count)])
    }

    private mutating func readStatusLine(_ line: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 ") || text.hasPrefix("HTTP/1.0 ") else { return false }
        keepsAlive = text.hasPrefix("HTTP/1.1")
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts[1].utf8.count == 3, let code = Int(parts[1]), (100...599).contains(code) else { return false }
        status = HTTPResponse.Status(code: code, reasonPhrase: parts.count > 2 ? String(parts[2]) : "")
        return true
    }

    private mutating func readField(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return false }
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var value = line[(colon + 1)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        let field = HTTPField(name: name, lenientValue: value)
        switch name {
        case .contentLength:
            guard contentLength == nil, let length = Int(field.value), length >= 0 else { return false }
            contentLength = length
        case .transferEncoding:
            guard field.value.lowercased() == "chunked" else { return false }
            isChunked = true
        case .connection: if field.value.lowercased().contains("close") { keepsAlive = false }
        default: break
        }
        fields.append(field)
        return true
    }

    private mutating func finishHead(toHead: Bool) -> Event {
        if toHead || status == .noContent || status == .notModified {
            state = .end
        } else if isChunked {
            headBytes = 0
            state = .chunkSize
        } else if let contentLength {
            state = contentLength == 0 ? .end : .fixedBody(contentLength)
        } else {
            keepsAlive = false
            state = .untilClose
        }
        return .head(HTTPResponse(status: status, headerFields: fields))
    }
}
