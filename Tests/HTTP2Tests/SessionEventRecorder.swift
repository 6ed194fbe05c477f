import HTTP2

/// Records the events of one side of a connection, and by default answers each request with its body.
final class Log: HTTP2Events {
    struct Message: Equatable {
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        var isComplete = false
        var closed: HTTP2Code?
    }

    struct GoAway: Equatable {
        let lastStream: Int32
        let code: HTTP2Code
        let debugData: String
    }

    var session: HTTP2Session?
    var messages: [Int: Message] = [:]
    var streams: [Int: Int32] = [:]
    var goAways: [GoAway] = []
    var settingsCount = 0
    var pongs = 0
    var notSent = 0
    var end: HTTP2Error?
    /// The most streams that were open at a time.
    var mostOpen = 0
    var answers = true

    private var open = 0
    private var outgoing: [Int: ArraySlice<UInt8>] = [:]
    /// HeaderList copies nothing: texts stay here as long as the connection.
    private var texts: [UnsafeMutableRawBufferPointer] = []
    private var waiters: [(condition: (Log) -> Bool, continuation: UnsafeContinuation<Void, Never>)] = []

    deinit {
        for text in texts { text.deallocate() }
    }

    func text(_ string: String) -> UnsafeRawBufferPointer {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: string.utf8.count, alignment: 1)
        bytes.copyBytes(from: string.utf8)
        texts.append(bytes)
        return UnsafeRawBufferPointer(bytes)
    }

    func request(_ tag: Int, path: String = "/", headers extra: [(StaticString, String)] = [], body: [UInt8]) {
        let headers = HeaderList(capacity: 4 + extra.count)
        headers.append(name: ":method", value: text("POST"), isIndexed: true)
        headers.append(name: ":scheme", value: text("http"), isIndexed: true)
        headers.append(name: ":authority", value: text("localhost"), isIndexed: true)
        headers.append(name: ":path", value: text(path), isIndexed: false)
        for (name, value) in extra { headers.append(name: name, value: text(value), isIndexed: true) }
        outgoing[tag] = body[...]
        messages[tag] = Message()
        streams[tag] = session?.submitRequest(headers, tag: tag, hasBody: !body.isEmpty)
    }

    func answer(_ tag: Int) {
        guard let stream = streams[tag], let message = messages[tag] else { return }
        let headers = HeaderList(capacity: 2)
        headers.append(name: ":status", value: text("200"), isIndexed: true)
        headers.append(name: "x-path", value: text(message.headers[":path"] ?? ""), isIndexed: false)
        outgoing[tag] = message.body[...]
        session?.submitResponse(headers, stream: stream, hasBody: !message.body.isEmpty)
    }

    // MARK: Waiting

    func wait(_ condition: @escaping (Log) -> Bool, _ continuation: UnsafeContinuation<Void, Never>) {
        waiters.append((condition, continuation))
    }

    private func changed() {
        let ready = waiters.filter { $0.condition(self) }
        waiters.removeAll { $0.condition(self) }
        for waiter in ready { waiter.continuation.resume() }
    }

    // MARK: Events

    func settingsChanged() {
        settingsCount += 1
        changed()
    }
    func requestBegan(stream: Int32) -> Int {
        let tag = messages.count
        messages[tag] = Message()
        streams[tag] = stream
        open += 1
        mostOpen = max(mostOpen, open)
        return tag
    }
    func header(stream: Int32, tag: Int, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        messages[tag]?.headers[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
    }
    func data(stream: Int32, tag: Int, bytes: UnsafeRawBufferPointer) {
        messages[tag]?.body.append(contentsOf: bytes)
    }
    func messageEnded(stream: Int32, tag: Int) {
        messages[tag]?.isComplete = true
        if session?.role == .server && answers { answer(tag) }
        changed()
    }
    func streamClosed(stream: Int32, tag: Int, code: HTTP2Code) {
        messages[tag]?.closed = code
        open -= 1
        changed()
    }
    func requestNotSent(stream: Int32) {
        notSent += 1
        changed()
    }
    func body(stream: Int32, tag: Int, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool) {
        let rest = outgoing[tag] ?? []
        let count = min(buffer.count, rest.count)
        buffer.copyBytes(from: rest.prefix(count))
        outgoing[tag] = rest.dropFirst(count)
        return (count, count == rest.count)
    }
    func goAway(lastStream: Int32, code: HTTP2Code, debugData: UnsafeRawBufferPointer) {
        let text = String(decoding: debugData, as: UTF8.self)
        goAways.append(GoAway(lastStream: lastStream, code: code, debugData: text))
        changed()
    }
    func maySubmit() {}

    func pingAnswered() {
        pongs += 1
        changed()
    }
    func ended(_ error: HTTP2Error) {
        end = error
        changed()
    }
}
