import HTTP2
import TLS

/// The HTTP/2 side of a connection, on its loop. `begin` takes over the transport; `ending` is resumed once, when the
/// transport has been closed. If `begin` throws, the caller still owns both.
protocol ConnectionHandler: HTTP2Events {
    func begin(_ transport: Transport, _ ending: UnsafeContinuation<Void, Never>) throws(HTTP2Error)
    /// Injects a fault now, independent of any request.
    func inject(_ fault: Fault)
    /// Announces that no new requests are accepted. The connection closes when the ones in progress are answered.
    func beginShutdown()
    func close()
}

extension SimulatorConfiguration {
    /// The first settings, as observed from Apple's servers.
    func firstSettings(streams: Int) -> HTTP2Settings {
        HTTP2Settings(
            headerTableSize: 4_096, maxConcurrentStreams: UInt32(clamping: streams), initialWindowSize: 65_535,
            maxFrameSize: 16_384, maxHeaderListSize: 8_000)
    }
}
