import EventLoop
import HTTP2
import Notifications
import TLS
import Testing

@testable import APNS

/// One end of an HTTP/2 connection on which pushes' headers are sent, and the bare socket at the other end, where
/// their size is measured.
actor HeaderWire {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let list = PushHeaderList()
    private let events = Events()
    private var session: HTTP2Session?
    private var peer: Socket?
    /// Bytes that have been received and are not a whole frame yet.
    private var received: [UInt8] = []

    init(on loop: EventLoop) { self.loop = loop }

    /// Returns when the session knows that it may open many streams.
    func open(token: ProviderToken) async throws {
        list.set(authority: "api.push.apple.com")
        list.set(token: token)
        let (own, peer) = try Socket.pair()
        self.peer = peer
        session = try HTTP2Session(role: .client, transport: Transport(own, on: loop), events: events)
        session?.start(settings: HTTP2Settings(enablePush: false))
        // SETTINGS with MAX_CONCURRENT_STREAMS 65,536 (RFC 9113 §6.5).
        let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 0]
        #expect(try settings.withUnsafeBytes { try peer.write($0) } == .bytes(settings.count))
        await withCheckedContinuation { events.settings = $0 }
    }

    /// Sends a push and returns the size of its header block.
    func size(of headers: PushHeaders) throws -> Int {
        list.set(headers)
        try Self.path.withUnsafeBytes { path in
            try Self.id.withUnsafeBytes { id in
                list.set(path: path, id: id)
                try #require(session?.submitRequest(list.list, tag: 1, hasBody: false) != nil)
                session?.flush()
            }
        }
        let sizes = try headerSizes()
        try #require(sizes.count == 1)
        return sizes[0]
    }

    func setToken(_ token: ProviderToken) { list.set(token: token) }

    func close() {
        session?.close()
        peer?.close()
    }

    private static let path = Array("/3/device/\(String(repeating: "0123456789abcdef", count: 4))".utf8)
    private static let id = Array(APNSFixture.id(1).utf8)

    /// The lengths of the HEADERS frames (RFC 9113 §6.2) that have arrived; they have neither padding nor priority.
    private func headerSizes() throws -> [Int] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case .bytes(let count)? = try buffer.withUnsafeMutableBytes({ try peer?.read(into: $0) }) {
            received += buffer[..<count]
        }
        // The connection preface (RFC 9113 §3.4).
        if received.starts(with: "PRI * HTTP/2.0".utf8) { received.removeFirst(24) }
        var sizes: [Int] = []
        while received.count >= 9 {
            let length = Int(received[0]) << 16 | Int(received[1]) << 8 | Int(received[2])
            if received[3] == 1 { sizes.append(length) }
            received.removeFirst(9 + length)
        }
        return sizes
    }

    private final class Events: HTTP2Events {
        var settings: CheckedContinuation<Void, Never>?

        func settingsChanged() {
            settings?.resume()
            settings = nil
        }
        func requestBegan(stream: Int32) -> Int { 0 }
        func header(stream: Int32, tag: Int, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {}
        func data(stream: Int32, tag: Int, bytes: UnsafeRawBufferPointer) {}
        func messageEnded(stream: Int32, tag: Int) {}
        func streamClosed(stream: Int32, tag: Int, code: HTTP2Code) {}
        func requestNotSent(stream: Int32) {}
        func body(stream: Int32, tag: Int, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool) {
            (0, true)
        }
        func goAway(lastStream: Int32, code: HTTP2Code, debugData: UnsafeRawBufferPointer) {}
        func pingAnswered() {}
        func maySubmit() {}
        func ended(_ error: HTTP2Error) {}
    }
}
