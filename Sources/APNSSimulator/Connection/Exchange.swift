import HTTP2
import TLS

/// The HTTP/2 side of a connection, on its loop. `begin` takes the transport over; `ending` is resumed
/// once, when the transport has been closed. When `begin` throws it is still the caller's.
protocol Exchange: HTTP2Events {
    func begin(_ transport: Transport, _ ending: UnsafeContinuation<Void, Never>) throws(HTTP2Error)
    /// Lets something go wrong now, apart from any request.
    func inject(_ fault: Fault)
    /// Says that no new requests are taken, and ends when those under way are answered.
    func beginShutdown()
    func close()
}

extension SimulatorConfiguration {
    /// What Apple was seen to announce first.
    func firstSettings(streams: Int) -> HTTP2Settings {
        HTTP2Settings(
            headerTableSize: 4_096, maxConcurrentStreams: UInt32(clamping: streams), initialWindowSize: 65_535,
            maxFrameSize: 16_384, maxHeaderListSize: 8_000)
    }
}
