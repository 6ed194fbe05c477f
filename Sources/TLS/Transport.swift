public import EventLoop
import Glibc

/// A byte stream over one non-blocking socket, plain or with TLS. It belongs to the actor that owns
/// the connection and is used on its loop only.
///
/// Two ways to wait, of which an owner uses one at a time: `await readable()` / `await writable()`,
/// or `notify(whenReadable:whenWritable:)` with a callback. With TLS, bytes may be left inside
/// OpenSSL while the socket is silent: read until `.wouldBlock` before waiting.
public final class Transport {
    public let loop: EventLoop
    private let socket: Socket
    private var watch: Watch?
    private let tls: TLSSession?
    /// The direction that a blocked read or write waits for; with TLS it may be the other one.
    private var readInterest: Interest = .read
    private var writeInterest: Interest = .write
    private var waiter: UnsafeContinuation<Void, any Error>?
    private var onReady: (() -> Void)?
    /// The error that later waits throw, set by `close`.
    private var ending: TLSError?
    public var isClosed: Bool { ending != nil }

    /// Creates a plain transport, which owns the socket and closes it.
    public init(_ socket: Socket, on loop: EventLoop) {
        self.socket = socket
        self.loop = loop
        tls = nil
        start()
    }

    /// Creates a transport with TLS; call `handshake()` first. `host` is the server name that a client expects; a
    /// server ignores it. If this throws, the caller still owns the socket.
    public init(_ socket: Socket, on loop: EventLoop, tls context: TLSContext, host: String = "") throws(TLSError) {
        self.socket = socket
        self.loop = loop
        tls = try TLSSession(context: context, descriptor: socket.descriptor, host: host)
        start()
    }

    private func start() {
        watch = loop.watch(socket.descriptor) { [unowned self] _ in self.becameReady() }
    }

    deinit {
        assert(isClosed, "a transport must be closed before it goes")
    }

    public var agreedProtocol: String? { tls?.agreedProtocol }

    /// "TLSv1.3" and the like, or nil for plain bytes.
    public var tlsVersion: String? { tls?.version }

    // MARK: Bytes

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> IOResult {
        guard !isClosed else { return .end }
        guard let tls else {
            do { return try socket.read(into: buffer) } catch { throw .system(error) }
        }
        switch try tls.read(into: buffer) {
        case .done(let count): return .bytes(count)
        case .end: return .end
        case .blocked(let interest):
            readInterest = interest
            return .wouldBlock
        }
    }

    public func write(_ bytes: UnsafeRawBufferPointer) throws(TLSError) -> IOResult {
        guard !isClosed else { return .end }
        guard let tls else {
            do { return try socket.write(bytes) } catch { throw .system(error) }
        }
        switch try tls.write(bytes) {
        case .done(let count): return .bytes(count)
        case .end: return .end
        case .blocked(let interest):
            writeInterest = interest
            return .wouldBlock
        }
    }

    /// Performs the TLS handshake; returns immediately for a plain transport. The owner enforces a deadline by closing
    /// the transport.
    public func handshake() async throws(TLSError) {
        guard let tls else { return }
        while true {
            // The transport may have been closed after the socket became ready; the descriptor may be reused already.
            if let ending { throw ending }
            switch try tls.handshake() {
            case .done: return
            case .end: throw .closedDuringHandshake
            case .blocked(let interest): try await wait(for: interest)
            }
        }
    }

    // MARK: Waiting

    /// Returns when a read may make progress. Throws if the transport is closed meanwhile.
    public func readable() async throws(TLSError) { try await wait(for: readInterest) }

    /// Returns when a write may make progress. Throws if the transport is closed meanwhile.
    public func writable() async throws(TLSError) { try await wait(for: writeInterest) }

    private func wait(for interest: Interest) async throws(TLSError) {
        do {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                // A caller without isolation arrives here one iteration of the loop later.
                if let ending { return continuation.resume(throwing: ending) }
                precondition(waiter == nil, "one wait at a time")
                waiter = continuation
                watch?.interest = interest
            }
        } catch {
            throw error as? TLSError ?? Self.closed
        }
    }

    /// Calls `body` on the loop each time the socket is ready; `body` then retries its read or write. Stops if both are
    /// false.
    public func notify(whenReadable: Bool, whenWritable: Bool, _ body: @escaping () -> Void) {
        onReady = body
        interest(reading: whenReadable, writing: whenWritable)
    }

    /// Changes what `notify` waits for.
    public func interest(reading: Bool, writing: Bool) {
        var interest: Interest = []
        if reading { interest.formUnion(readInterest) }
        if writing { interest.formUnion(writeInterest) }
        watch?.interest = interest
    }

    private func becameReady() {
        readInterest = .read
        writeInterest = .write
        if let waiter {
            // Level-triggered: disarm, or this is called again before the waiter has run.
            watch?.interest = []
            self.waiter = nil
            waiter.resume()
        } else if let onReady {
            onReady()
        } else {
            watch?.interest = []
        }
    }

    // MARK: The end

    /// Closes immediately. Current and later waits throw `error`. May be called more than once.
    public func close(throwing error: TLSError = Transport.closed) {
        guard !isClosed else { return }
        ending = error
        watch?.cancel()
        watch = nil
        onReady = nil
        tls?.sendCloseNotify()
        socket.close()
        waiter?.resume(throwing: error)
        waiter = nil
    }

    /// Tells the peer that nothing more will be written; reading goes on.
    public func shutdownWriting() {
        guard !isClosed else { return }
        tls?.sendCloseNotify()
        socket.shutdownWriting()
    }

    /// The error of a wait after the owner closed the transport.
    public static let closed = TLSError.system(SystemError(operation: "closed", code: ECONNABORTED))
}
