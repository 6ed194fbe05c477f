import HTTPTypes

/// Encodes the head of a response (RFC 9112 §4 and §5).
enum ResponseEncoder {
    enum Framing: Equatable {
        /// No body and no length: 204, 304.
        case none
        case length(Int)
        case chunked
        /// HTTP/1.0: the end of the connection is the end of the body.
        case untilClose
    }

    /// `request` is nil if the received bytes were not a valid request. `isSecure` tells whether the client uses TLS.
    static func appendHead(
        of response: Response, to request: Request?, framing: Framing, date: [UInt8], isSecure: Bool, close: Bool,
        into output: inout [UInt8]
    ) {
        append("HTTP/1.1 ", to: &output)
        append(response.status.code, to: &output)
        output.append(.space)
        output.append(contentsOf: response.status.reasonPhrase.utf8)
        append("\r\nDate: ", to: &output)
        output.append(contentsOf: date)
        // Every response declares its content type, and browsers must not guess another.
        append("\r\nX-Content-Type-Options: nosniff\r\n", to: &output)
        // For a year, browsers use this server by https only (RFC 6797).
        if isSecure { append("Strict-Transport-Security: max-age=31536000\r\n", to: &output) }
        if let request {
            append("X-Request-Id: ", to: &output)
            if let id = request.labels.id {
                output.append(contentsOf: id.utf8)
            } else {
                RequestNumber.append(request.number, to: &output)
            }
            append("\r\n", to: &output)
        }
        for field in response.headers {
            switch field.name {
            case .contentLength, .transferEncoding, .connection, .date: continue
            default: break
            }
            output.append(contentsOf: field.name.rawName.utf8)
            append(": ", to: &output)
            field.withUnsafeBytesOfValue { output.append(contentsOf: $0) }
            append("\r\n", to: &output)
        }
        switch framing {
        case .none, .untilClose: break
        case .length(let length):
            append("Content-Length: ", to: &output)
            append(length, to: &output)
            append("\r\n", to: &output)
        case .chunked: append("Transfer-Encoding: chunked\r\n", to: &output)
        }
        if close { append("Connection: close\r\n", to: &output) }
        append("\r\n", to: &output)
    }

    static func appendChunk(_ bytes: [UInt8], to output: inout [UInt8]) {
        output.append(contentsOf: String(bytes.count, radix: 16).utf8)
        append("\r\n", to: &output)
        output.append(contentsOf: bytes)
        append("\r\n", to: &output)
    }

    static func appendLastChunk(to output: inout [UInt8]) {
        append("0\r\n\r\n", to: &output)
    }

    static func append(_ text: StaticString, to output: inout [UInt8]) {
        text.withUTF8Buffer { output.append(contentsOf: $0) }
    }

    private static func append(_ number: Int, to output: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = number.magnitude
            var index = digits.count
            repeat {
                index -= 1
                digits[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            output.append(contentsOf: digits[index...])
        }
    }
}
