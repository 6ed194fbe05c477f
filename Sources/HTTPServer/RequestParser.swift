import Glibc

/// A strict parser for HTTP/1.1 requests (RFC 9112). Append received bytes, then call `next()` for events. It uses no
/// socket and no clock, and returns the same events however the bytes are split.
struct RequestParser {
    enum Event: Hashable {
        case head(RequestHead)
        /// A part of the body, never empty.
        case body([UInt8])
        /// The request is complete; the next one may follow.
        case end
        /// The input is invalid and can't be parsed further: answer and close.
        case refused(HTTPError)

        static func == (left: Event, right: Event) -> Bool {
            switch (left, right) {
            case (.head(let left), .head(let right)): left == right
            case (.body(let left), .body(let right)): left == right
            case (.end, .end): true
            case (.refused(let left), .refused(let right)): left == right
            default: false
            }
        }

        func hash(into hasher: inout Hasher) {
            switch self {
            case .head(let head): hasher.combine(head)
            case .body(let bytes): hasher.combine(bytes)
            case .end: break
            case .refused(let error): hasher.combine(error.code)
            }
        }
    }

    private enum State {
        case requestLine
        case fields
        case fixedBody(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers
        case end
        case refused
    }

    /// An empty buffer with more capacity than this is freed, because there can be many idle connections.
    static let retainedCapacity = 4 * 1024

    private let limits: RequestLimits
    private var buffer: [UInt8] = []
    private var start = 0
    /// Bytes from `start` that are known to contain no line feed.
    private var scanned = 0
    private var state = State.requestLine
    private var line: RequestLine?
    private var fields = RequestFields()
    /// Bytes of header or trailer lines so far.
    private var sectionBytes = 0
    private var hasSkippedLine = false

    init(limits: RequestLimits) {
        self.limits = limits
    }

    /// Bytes that were appended and not yet turned into events.
    var bufferedBytes: Int { buffer.count - start }

    /// Whether no byte of a next request has arrived.
    var isBetweenRequests: Bool {
        if case .requestLine = state { return bufferedBytes == 0 && !hasSkippedLine }
        return false
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next event, or nil when more bytes are needed.
    mutating func next() -> Event? {
        do throws(HTTPError) {
            return try advance()
        } catch {
            state = .refused
            return .refused(error)
        }
    }

    /// Consumes and returns the whole body of the last head, if it has a Content-Length and has arrived completely.
    /// Otherwise returns nil, and `next()` returns the body in parts.
    mutating func takeWholeBody() -> [UInt8]? {
        guard case .fixedBody(let remaining) = state, bufferedBytes >= remaining, let bytes = take(atMost: remaining)
        else { return nil }
        startOver()
        return bytes
    }

    private mutating func advance() throws(HTTPError) -> Event? {
        while true {
            switch state {
            case .requestLine:
                guard let range = try nextLine(atMost: limits.requestLineBytes, else: .requestLineTooLong) else {
                    return nil
                }
                // One empty line before a request is tolerated (RFC 9112 §2.2).
                if range.isEmpty && !hasSkippedLine {
                    hasSkippedLine = true
                    continue
                }
                line = try withLine(range) { bytes throws(HTTPError) in try RequestLine(bytes) }
                state = .fields
            case .fields:
                guard let range = try nextSectionLine(atMost: limits.headerBytes) else { return nil }
                if range.isEmpty { return try finishHead() }
                guard fields.count < limits.headerFields else { throw .tooManyFields }
                try addField(range)
            case .fixedBody(let remaining):
                guard let bytes = take(atMost: remaining) else { return nil }
                state = remaining == bytes.count ? .end : .fixedBody(remaining: remaining - bytes.count)
                return .body(bytes)
            case .chunkSize:
                let tooLong = HTTPError.malformed("A chunk's size line is too long.")
                guard let range = try nextLine(atMost: limits.chunkLineBytes, else: tooLong) else { return nil }
                let size = try withLine(range) { bytes throws(HTTPError) in try Self.chunkSize(bytes) }
                state = size == 0 ? .trailers : .chunk(remaining: size)
            case .chunk(let remaining):
                guard let bytes = take(atMost: remaining) else { return nil }
                state = remaining == bytes.count ? .chunkEnd : .chunk(remaining: remaining - bytes.count)
                return .body(bytes)
            case .chunkEnd:
                let missing = HTTPError.malformed("A chunk must be followed by CRLF.")
                guard let range = try nextLine(atMost: 0, else: missing), range.isEmpty else { return nil }
                state = .chunkSize
            case .trailers:
                guard let range = try nextSectionLine(atMost: limits.trailerBytes) else { return nil }
                if range.isEmpty {
                    state = .end
                } else {
                    // Checked like a header line, and discarded (RFC 9110 §6.5.1).
                    guard fields.count < limits.headerFields else { throw .tooManyFields }
                    try addField(range)
                }
            case .end:
                startOver()
                return .end
            case .refused:
                return nil
            }
        }
    }

    private mutating func finishHead() throws(HTTPError) -> Event {
        guard let line else { throw .malformed("The request line is missing.") }
        let head = try fields.finish(line)
        switch head.framing {
        case .none: state = .end
        case .length(let length): state = .fixedBody(remaining: length)
        case .chunked: state = .chunkSize
        }
        self.line = nil
        fields = RequestFields()
        sectionBytes = 0
        return .head(head)
    }

    private mutating func startOver() {
        state = .requestLine
        fields = RequestFields()
        sectionBytes = 0
        hasSkippedLine = false
    }

    // MARK: Lines and bytes

    private mutating func addField(_ range: Range<Int>) throws(HTTPError) {
        let bytes = buffer
        try bytes.withUnsafeBufferPointer { all throws(HTTPError) in
            try fields.add(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[range])))
        }
    }

    /// Consumes a header or trailer line. All lines of a section count toward one limit, including their CRLFs.
    private mutating func nextSectionLine(atMost limit: Int) throws(HTTPError) -> Range<Int>? {
        // The empty line that ends the section does not count.
        let range = try nextLine(atMost: max(0, limit - sectionBytes - 2), else: .headerTooLarge)
        if let range, !range.isEmpty { sectionBytes += range.count + 2 }
        return range
    }

    /// Consumes one line and returns its range, without its CRLF; nil if its end has not arrived.
    private mutating func nextLine(
        atMost limit: Int, else tooLong: @autoclosure () -> HTTPError
    ) throws(HTTPError) -> Range<Int>? {
        let from = start + scanned
        let found = buffer.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, from < bytes.count,
                let match = memchr(base + from, Int32(UInt8.lineFeed), bytes.count - from)
            else { return nil }
            return UnsafeRawPointer(match) - base
        }
        guard let lineFeed = found else {
            guard bufferedBytes < limit + 2 else { throw tooLong() }
            scanned = bufferedBytes
            return nil
        }
        guard lineFeed - start < limit + 2 else { throw tooLong() }
        guard lineFeed > start, buffer[lineFeed - 1] == .carriageReturn else {
            throw .malformed("A line must end with CRLF.")
        }
        defer {
            start = lineFeed + 1
            scanned = 0
        }
        return start..<(lineFeed - 1)
    }

    private func withLine<Result>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(HTTPError) -> Result
    ) throws(HTTPError) -> Result {
        try buffer.withUnsafeBufferPointer { all throws(HTTPError) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[range])))
        }
    }

    private mutating func take(atMost count: Int) -> [UInt8]? {
        let count = min(count, bufferedBytes)
        guard count > 0 else { return nil }
        let bytes = Array(buffer[start..<(start + count)])
        start += count
        return bytes
    }

    /// Frees unneeded memory. Call it when there is nothing to parse.
    mutating func trim() {
        guard bufferedBytes == 0 else { return }
        if buffer.capacity > Self.retainedCapacity { buffer = [] } else { buffer.removeAll(keepingCapacity: true) }
        start = 0
    }

    /// Parses hexadecimal digits and optional extensions, which are ignored (RFC 9112 §7.1.1).
    private static func chunkSize(_ line: UnsafeRawBufferPointer) throws(HTTPError) -> Int {
        var size = 0
        var digits = 0
        for byte in line {
            guard let digit = byte.hexadecimal else { break }
            // 15 digits always fit an `Int`.
            guard digits < 15 else { throw .malformed("A chunk's size is too large.") }
            size = size << 4 | Int(digit)
            digits += 1
        }
        let rest = line[digits...]
        guard digits > 0, rest.isEmpty || rest.first == UInt8(ascii: ";"), rest.allSatisfy(\.isFieldValue) else {
            throw .malformed("A chunk's size must be a hexadecimal number.")
        }
        return size
    }
}
