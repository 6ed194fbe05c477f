import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A server of one connection on a free port of the loopback interface. It writes what a test gives it, so
/// that answers may be broken in any way.
package final class SocketServer: Sendable {
    /// How a connection ended.
    package enum End: Sendable, Equatable { case written, closedByClient }

    package let port: UInt16
    package let ends: AsyncStream<End>

    /// Writes `answer`, and `piece` as often as `times` says, to one connection. `keepsOpen`: it stays until the client
    /// closes it.
    package init(_ answer: [UInt8], then piece: [UInt8] = [], times: Int = 0, keepsOpen: Bool = false) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        let (ends, ended) = AsyncStream.makeStream(of: End.self)
        self.ends = ends
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            close(listener)
            guard connection >= 0 else { return }
            ended.yield(Self.serve(connection, [answer] + Array(repeating: piece, count: times), keepsOpen))
            close(connection)
        }
    }

    private static func serve(_ connection: Int32, _ pieces: [[UInt8]], _ keepsOpen: Bool) -> End {
        var request = [UInt8](repeating: 0, count: 65_536)
        guard recv(connection, &request, request.count, 0) > 0 else { return .closedByClient }
        for piece in pieces {
            var rest = piece[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard sent > 0 else { return .closedByClient }
                rest = rest.dropFirst(sent)
            }
        }
        guard keepsOpen else { return .written }
        while recv(connection, &request, request.count, 0) > 0 {}
        return .closedByClient
    }
}
