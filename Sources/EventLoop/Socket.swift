import CLinux
import Glibc

/// The result of one non-blocking read or write.
public enum IOResult: Equatable, Sendable {
    /// The number of bytes that were transferred, at least one.
    case bytes(Int)
    /// Nothing could be transferred now; wait until the socket is ready.
    case wouldBlock
    /// The peer has closed its side; nothing more will come.
    case end
}

/// A non-blocking stream socket. Its owner must close it exactly once.
public struct Socket: Sendable {
    public let descriptor: Int32

    static let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    public init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    private init(family: Int32) throws(SystemError) {
        descriptor = socket(family, Self.flags, 0)
        guard descriptor >= 0 else { throw .current("socket") }
    }

    // MARK: Listening

    /// Connections that the kernel holds until they are accepted.
    public static let backlog: Int32 = 1_024

    public static func listen(on address: SocketAddress) throws(SystemError) -> Socket {
        let socket = try reserve(address)
        guard Glibc.listen(socket.descriptor, backlog) == 0 else {
            let error = SystemError.current("listen \(address)")
            socket.close()
            throw error
        }
        return socket
    }

    /// Takes an address without listening on it: connections to it are refused. While the socket is open, the kernel
    /// gives its port to nobody who asks for any, neither a listener nor a client. This process and others can listen on
    /// it all the same, if they set SO_REUSEADDR, as `listen` does.
    public static func reserve(_ address: SocketAddress) throws(SystemError) -> Socket {
        let socket = try Socket(family: address.family)
        do throws(SystemError) {
            if address.family != AF_UNIX { try socket.set(SOL_SOCKET, SO_REUSEADDR, 1) }
            guard address.withPointer({ bind(socket.descriptor, $0, $1) }) == 0 else {
                throw .current("bind \(address)")
            }
        } catch {
            socket.close()
            throw error
        }
        return socket
    }

    /// Accepts the next connection and returns it with its peer's address; nil if there is none.
    public func accept() throws(SystemError) -> (Socket, SocketAddress)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        while true {
            let accepted = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { belfry_accept(descriptor, $0, &length) }
            }
            if accepted >= 0 { return (Socket(descriptor: accepted), SocketAddress(storage: storage, length: length)) }
            switch errno {
            case EAGAIN: return nil
            // The peer closed the connection, or a signal arrived: try the next one.
            case EINTR, ECONNABORTED: continue
            default: throw .current("accept")
            }
        }
    }

    // MARK: Connecting

    /// Connects within `timeout`. The socket is closed when that fails.
    public static func connect(
        to address: SocketAddress, on loop: EventLoop, timeout: Duration
    ) async throws(SystemError) -> Socket {
        let socket = try Socket(family: address.family)
        do throws(SystemError) {
            if address.family != AF_UNIX { try socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
            if address.withPointer({ Glibc.connect(socket.descriptor, $0, $1) }) != 0 {
                guard errno == EINPROGRESS else { throw .current("connect \(address)") }
                try await loop.waitUntilReady(
                    socket.descriptor, for: .write, timeout: timeout, operation: "connect \(address)")
                let code = try socket.get(SOL_SOCKET, SO_ERROR)
                guard code == 0 else { throw SystemError(operation: "connect \(address)", code: code) }
            }
        } catch {
            socket.close()
            throw error
        }
        return socket
    }

    /// Two sockets connected to each other.
    public static func pair() throws(SystemError) -> (Socket, Socket) {
        var descriptors: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, flags, 0, &descriptors) == 0 else { throw .current("socketpair") }
        return (Socket(descriptor: descriptors[0]), Socket(descriptor: descriptors[1]))
    }

    // MARK: Bytes

    /// Reads into a buffer that must not be empty: with an empty one, the kernel's result looks like the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> IOResult {
        precondition(!buffer.isEmpty, "the read buffer is empty")
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: throw .current("recv")
            }
        }
    }

    public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> IOResult {
        while true {
            let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: throw .current("send")
            }
        }
    }

    /// Tells the peer that nothing more will be written.
    public func shutdownWriting() {
        // An error means that the peer has closed the connection already.
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    public func close() { Glibc.close(descriptor) }

    // MARK: Options

    /// The local address of the socket. A listener on port 0 reads its port here.
    public func localAddress() throws(SystemError) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else { throw .current("getsockname") }
        return SocketAddress(storage: storage, length: length)
    }

    /// Sends small writes immediately (TCP_NODELAY). Accepted connections need this call; `connect` sets it
    /// itself.
    public func sendWithoutDelay() throws(SystemError) {
        try set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    /// Limits the bytes that the kernel holds for a peer before it sends them (TCP_NOTSENT_LOWAT). Without it, a peer
    /// that does not read makes the kernel hold several MB. Accepted connections inherit it from their listener.
    public func limitUnsent(to bytes: Int) throws(SystemError) {
        try set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Int32(clamping: bytes))
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) throws(SystemError) {
        var value = value
        let status = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        guard status == 0 else { throw .current("setsockopt") }
    }

    private func get(_ level: Int32, _ option: Int32) throws(SystemError) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, level, option, &value, &length) == 0 else { throw .current("getsockopt") }
        return value
    }
}
