import EventLoop
import HTTPTypes

extension HTTPConnection {
    /// Handles one request and sends the response. Returns false if the connection must end.
    func answer(_ head: RequestHead) async throws -> Bool {
        request.begin(head, configuration)
        var body = RequestBody(.bytes([]), declaredLength: 0)
        if head.framing == .none {
            // Consumes the `end` event of a request without a body.
            _ = parser.next()
        } else {
            var length: Int?
            if case .length(let declared) = head.framing { length = declared }
            if let length, let bytes = parser.takeWholeBody() {
                // Most bodies arrive together with their head and need no further read.
                body = RequestBody(.bytes(bytes), declaredLength: length)
                request.complete()
            } else {
                body = RequestBody(.connection(self, request: request.number), declaredLength: length)
            }
        }
        let began = configuration.onResponse == nil ? nil : MonotonicTime.now()
        let response: Response
        var received: Request?
        do throws(HTTPError) {
            var request = try Request(head, body: body, origin: origin)
            response = await router.respond(resolving: &request)
            received = request
        } catch {
            response = router.render(error, for: nil)
        }
        let keepsAlive = await keepsConnection(after: response, to: head)
        defer { if let began { report(received, response, method: head.request.method, since: began) } }
        try await send(response, to: head, received, close: !keepsAlive)
        if keepsAlive {
            if !request.isBodyComplete { try await discardBody() }
            return !mustClose
        }
        try await flush()
        if !request.isBodyComplete || parser.bufferedBytes > 0 { await linger() }
        return false
    }

    /// Sends an error response to bytes that are not a valid request, and closes the connection.
    func refuse(_ error: HTTPError) async throws {
        var response = router.render(error, for: nil)
        response.headers[.connection] = "close"
        let began = MonotonicTime.now()
        defer { report(nil, response, method: nil, since: began) }
        try await send(response, to: RequestHead(request: Self.noRequest), nil, close: true)
        try await flush()
        await linger()
    }

    private func report(
        _ request: Request?, _ response: Response, method: HTTPRequest.Method?, since began: MonotonicTime
    ) {
        guard let onResponse = configuration.onResponse else { return }
        onResponse(
            AccessRecord(
                request, response, method: method, from: origin.remoteAddress, bytes: sentBodyBytes,
                duration: .now() - began))
    }

    private static let noRequest = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)

    private func keepsConnection(after response: Response, to head: RequestHead) async -> Bool {
        if mustClose || endIsAnnounced || isDraining || head.wantsClose { return false }
        if request.number >= configuration.maximumRequestsPerConnection { return false }
        // The rest of a body that is too large is not read.
        if response.status == .contentTooLarge { return false }
        if response.headers.value(.connection)?.lowercased() == "close" { return false }
        if request.isBodyComplete { return true }
        // A client that still waits for "100 Continue" may or may not send its body now, so framing is lost.
        guard !request.mustSendContinue else { return false }
        if case .length(let length) = head.framing { return length <= Self.discardBytes }
        return discardBuffered()
    }

    /// Discards the rest of a chunked body. Returns false if it has not arrived completely.
    private func discardBuffered() -> Bool {
        while true {
            switch parser.next() {
            case .body: continue
            case .end:
                request.isBodyComplete = true
                return true
            case .refused, .head, nil:
                mustClose = true
                return false
            }
        }
    }

    private func discardBody() async throws {
        do {
            while try await nextBodyChunk(request: request.number) != nil {}
        } catch is HTTPError {
            // The response is already sent, so the connection is closed.
            mustClose = true
        }
    }

    private func send(_ response: Response, to head: RequestHead, _ request: Request?, close: Bool) async throws {
        sentBodyBytes = 0
        let hasBody = head.request.method != .head && Self.allowsBody(response.status)
        let framing = framing(of: response, to: head)
        ResponseEncoder.appendHead(
            of: response, to: request, framing: framing, date: resources.date,
            isSecure: origin.isSecure(head.request.headerFields), close: close || framing == .untilClose,
            into: &output.bytes)
        guard hasBody else { return try await flushUnlessMore() }
        switch response.body {
        case .none: try await flushUnlessMore()
        case .bytes(let bytes):
            try await appendBody(bytes)
            try await flushUnlessMore()
        case .file(let file, let range):
            var range = range
            while !range.isEmpty { try await appendBody(try file.read(&range)) }
            try await flushUnlessMore()
        case .stream(let write):
            try await flush()
            try await writeStream(isChunked: framing == .chunked, keepAlive: nil, write)
        case .sizedStream(let length, let write):
            try await flush()
            stream.remainingBytes = length
            try await writeStream(isChunked: false, keepAlive: nil, write)
            guard stream.remainingBytes == 0 else {
                mustClose = true
                throw ConnectionFailure.closed
            }
        case .events(let keepAlive, let send):
            try await flush()
            stream.isOfEvents = true
            defer { stream.isOfEvents = false }
            try await writeStream(isChunked: framing == .chunked, keepAlive: keepAlive) { writer in
                try await send(EventSink(writer: writer))
            }
        }
    }

    /// Appends a body to the output. A short one leaves in one write with its head; a long one is written in pieces.
    private func appendBody(_ bytes: [UInt8]) async throws(ConnectionFailure) {
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + max(1, OutputBuffer.batchBytes - output.bytes.count))
            output.bytes.append(contentsOf: bytes[start..<end])
            sentBodyBytes += end - start
            start = end
            if start < bytes.count { try await flush() }
        }
    }

    private func flushUnlessMore() async throws(ConnectionFailure) {
        let hasNext = parser.bufferedBytes > 0 && request.isBodyComplete
        if hasNext && output.bytes.count < OutputBuffer.batchBytes && !mustClose {
            flushSoon()
        } else {
            try await flush()
        }
    }

    private func framing(of response: Response, to head: RequestHead) -> ResponseEncoder.Framing {
        guard Self.allowsBody(response.status) else { return .none }
        switch response.body {
        case .none: return .length(0)
        case .bytes(let bytes): return .length(bytes.count)
        case .sizedStream(let length, _): return .length(length)
        case .file(_, let range): return .length(range.count)
        case .stream, .events: return head.isVersion10 ? .untilClose : .chunked
        }
    }

    private static func allowsBody(_ status: HTTPResponse.Status) -> Bool {
        status != .noContent && status != .notModified && status.kind != .informational
    }
}
