import EventLoop
import HTTP2
import Logging
import Synchronization
import TLS

/// A connection handler that answers every request with 200 and its apns-id, and counts it. It checks nothing,
/// records nothing and allocates no memory per push.
final class AcceptAllHandler: ConnectionHandler {
    /// Streams per block of memory. Memory must not move while a response waits in it.
    private static let slotsPerChunk = 1_024
    /// In bytes. The default window has room for 200 pushes, and the two sides would mostly wait for each other.
    private static let connectionWindow: Int32 = 1 << 20

    private let state: ListenerState
    private var session: HTTP2Session?
    private var ending: UnsafeContinuation<Void, Never>?
    private let headers = HeaderList(capacity: 2)
    private let idField: Int
    private var chunks: [UnsafeMutableRawPointer] = []
    /// Whether the slot contains an apns-id, by slot.
    private var hasID: [Bool] = []
    private var free: [Int] = []

    init(state: ListenerState) {
        self.state = state
        headers.append(name: ":status", value: Self.ok, isIndexed: true)
        idField = headers.append(name: "apns-id", value: Self.ok, isIndexed: false)
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }

    func begin(_ transport: Transport, _ ending: UnsafeContinuation<Void, Never>) throws(HTTP2Error) {
        let session = try HTTP2Session(role: .server, transport: transport, events: self)
        self.session = session
        self.ending = ending
        session.setConnectionWindow(Self.connectionWindow)
        session.start(
            settings: state.configuration.firstSettings(streams: state.configuration.streams.afterToken))
    }

    func requestBegan(stream: Int32) -> Int {
        if free.isEmpty { addChunk() }
        let slot = free.removeLast()
        hasID[slot] = false
        return slot
    }

    func header(stream: Int32, tag: Int, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard name.count == 7, value.count == PushID.textLength, name[0] == UInt8(ascii: "a"),
            name[6] == UInt8(ascii: "d")
        else { return }
        idMemory(tag).copyMemory(from: value)
        hasID[tag] = true
    }

    func messageEnded(stream: Int32, tag: Int) {
        state.acceptAllPushes.wrappingAdd(1, ordering: .relaxed)
        guard let session else { return }
        if hasID[tag] {
            headers.setValue(at: idField, UnsafeRawBufferPointer(idMemory(tag)))
        } else {
            headers.setValue(at: idField, Self.noID)
        }
        session.submitResponse(headers, stream: stream, hasBody: false)
    }

    func streamClosed(stream: Int32, tag: Int, code: HTTP2Code) {
        if tag >= 0 { free.append(tag) }
    }

    func ended(_ error: HTTP2Error) {
        state.logger.debug("connection ended", metadata: ["reason": "\(error)"])
        finish()
    }

    func close() {
        session?.close()
        finish()
    }

    private func finish() {
        ending?.resume()
        ending = nil
    }

    func beginShutdown() {
        session?.submitGoAway(code: .noError, debugData: Fault.GoAway().debugData)
        session?.flush()
    }

    func inject(_ fault: Fault) {
        if case .disconnect = fault { close() }
    }

    private func idMemory(_ slot: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            start: chunks[slot / Self.slotsPerChunk] + slot % Self.slotsPerChunk * PushID.textLength,
            count: PushID.textLength)
    }

    private func addChunk() {
        let first = chunks.count * Self.slotsPerChunk
        chunks.append(.allocate(byteCount: Self.slotsPerChunk * PushID.textLength, alignment: 16))
        hasID.append(contentsOf: repeatElement(false, count: Self.slotsPerChunk))
        free.append(contentsOf: (first..<first + Self.slotsPerChunk).reversed())
    }

    private static var ok: UnsafeRawBufferPointer {
        let text: StaticString = "200"
        return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    private static var noID: UnsafeRawBufferPointer {
        let text: StaticString = "00000000-0000-4000-8000-000000000000"
        return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    func data(stream: Int32, tag: Int, bytes: UnsafeRawBufferPointer) {}
    func body(stream: Int32, tag: Int, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool) {
        (0, true)
    }
    func settingsChanged() {}
    func requestNotSent(stream: Int32) {}
    func goAway(lastStream: Int32, code: HTTP2Code, debugData: UnsafeRawBufferPointer) {}
    func pingAnswered() {}
    func maySubmit() {}
}
