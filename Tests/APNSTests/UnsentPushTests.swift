import EventLoop
import HTTP2
import TLS
import Testing

@testable import APNS

/// A connection that is lost while most of a window has not left yet.
@Suite(.timeLimit(.minutes(10)))
struct UnsentPushTests {
    @Test func pushesThatNeverLeftALostConnectionAreUnsentAndTheRestUnknown() async throws {
        let loop = try EventLoop(name: "client")
        defer { loop.stop() }
        try await withTaskExecutorPreference(loop) {
            let wire = try await Wire(token: try RenewingSource().token(), on: loop)
            let window = try APNSFixture.window(0..<0)
            // Long tokens: a thousand requests are more than the socket holds.
            for number in 0..<PushWindow.maximumCount {
                window.append(number, token: [UInt8](repeating: UInt8(number % 251), count: 200))
            }
            async let sent: Void = wire.send(window)
            try await wire.write(Wire.settings)
            try await wire.untilInFlight(1)
            try await wire.write(Wire.firstAnswer)
            try await wire.untilInFlight(PushWindow.maximumCount - 1)
            let seen = try await wire.cut()
            await sent

            let lost = window.places(.connectionLost)
            let unsent = window.places(.unsent)
            #expect(window.acceptedCount == 1)
            #expect(lost.count + unsent.count == PushWindow.maximumCount - 1)
            #expect(!unsent.isEmpty && !lost.isEmpty)
            // Every push that the peer may have seen is unknown.
            #expect(seen.count > 1)
            #expect(seen.isSubset(of: Set(lost.map { window.items[$0].stream } + [1])))
            #expect(seen.isDisjoint(with: unsent.map { window.items[$0].stream }))
        }
    }
}

/// A connection's streams, and the bare socket of a peer that reads nothing.
private actor Wire {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let streams: PushStreams
    private let peer: Socket

    init(token: ProviderToken, on loop: EventLoop) async throws {
        self.loop = loop
        let (own, peer) = try Socket.pair()
        self.peer = peer
        streams = PushStreams(
            authority: "localhost", token: token, reasons: ReasonTable(), options: APNSOptions.short())
        streams.session = try HTTP2Session(role: .client, transport: Transport(own, on: loop), events: streams)
        streams.session?.start(settings: nil)
    }

    func send(_ window: PushWindow) async { await streams.send(window) }

    /// SETTINGS that allow a thousand concurrent streams.
    static let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0x03, 0xE8]
    /// ":status 200" for the first stream (RFC 7541, appendix A: 8).
    static let firstAnswer: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88]

    func write(_ frame: [UInt8]) throws { _ = try frame.withUnsafeBytes { try peer.write($0) } }

    func untilInFlight(_ count: Int) async throws {
        while streams.state.inFlight < count { try await loop.sleep(for: .milliseconds(1)) }
    }

    /// Closes the peer's end, and returns the streams of which it has received at least the start of a frame.
    func cut() throws -> Set<Int32> {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case .bytes(let count) = try piece.withUnsafeMutableBytes({ try peer.read(into: $0) }) {
            bytes += piece[..<count]
        }
        peer.close()
        var seen: Set<Int32> = []
        // Behind the connection preface (RFC 9113 §3.4).
        var place = 24
        while place + 9 <= bytes.count {
            let stream = bytes[place + 5..<place + 9].reduce(0) { $0 << 8 | Int32($1) }
            if stream > 0 { seen.insert(stream) }
            place += 9 + bytes[place..<place + 3].reduce(0) { $0 << 8 | Int($1) }
        }
        return seen
    }
}
