import EventLoop
import Foundation
import Glibc
import Postgres

/// A TCP proxy in front of a server on a unix socket. While it is silent, it accepts and acknowledges everything, and
/// passes nothing on, like a network device that has lost its way.
final class SilentProxy: Sendable {
    let port: UInt16
    private let listener: Int32
    private let target: String
    private let state = Lock<(isSilent: Bool, isClosed: Bool, open: [Int32])>((false, false, []))

    struct Failed: Error {}

    /// `target` is the path of the server's socket.
    init(target: String) throws {
        self.target = target
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw Failed() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { self.acceptAll() }
    }

    var isSilent: Bool {
        get { state.withLock { $0.isSilent } }
        set { state.withLock { $0.isSilent = newValue } }
    }

    /// Ends all connections.
    func close() {
        let open = state.withLock { state in
            state.isClosed = true
            return state.open
        }
        for socket in open + [listener] { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            guard let server = connectToTarget() else {
                Glibc.close(client)
                continue
            }
            let isClosed = state.withLock { state in
                state.open += [client, server]
                return state.isClosed
            }
            if isClosed { close() }
            Thread.detachNewThread { self.pump(client, to: server) }
            Thread.detachNewThread { self.pump(server, to: client) }
        }
        Glibc.close(listener)
    }

    private func connectToTarget() -> Int32? {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: target.utf8) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        if isConnected { return server }
        Glibc.close(server)
        return nil
    }

    /// Passes bytes on, or drops them while it is silent. The end of a connection is passed on only if it isn't.
    private func pump(_ source: Int32, to target: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { break }
            if isSilent { continue }
            var sent = 0
            while sent < count {
                let written = buffer.withUnsafeBytes {
                    send(target, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break }
                sent += written
            }
        }
        if !isSilent { shutdown(target, Int32(SHUT_RDWR)) }
    }
}
