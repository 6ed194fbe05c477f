public import EventLoop
public import TLS

extension HTTPClientConnection {
    /// Opens a connection. `host` is used for the Host field and, with TLS, as the name that the certificate must have.
    public static func connect(
        to address: SocketAddress, host: String, on loop: EventLoop, tls: TLSContext? = nil
    ) async throws(HTTPClientError) -> HTTPClientConnection {
        let socket: Socket
        do {
            socket = try await Socket.connect(to: address, on: loop, timeout: connectDeadline)
        } catch {
            if error.code == SystemError.cancelled("").code { throw .cancelled }
            throw .connect(error)
        }
        let connection: HTTPClientConnection
        do {
            let authority = Self.authority(host: host, port: address.port, isSecure: tls != nil)
            connection = try HTTPClientConnection(socket, host: host, authority: authority, on: loop, tls: tls)
        } catch {
            socket.close()
            throw .tls(error)
        }
        try await connection.open()
        return connection
    }

    /// Opens a connection to the first address that accepts one.
    public static func connect(
        toFirstOf addresses: [SocketAddress], host: String, on loop: EventLoop, tls: TLSContext? = nil
    ) async throws(HTTPClientError) -> HTTPClientConnection {
        var failure = HTTPClientError.shutDown
        for address in addresses {
            do {
                return try await connect(to: address, host: host, on: loop, tls: tls)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Returns the value of the Host field. The port is omitted if it is the default of the scheme.
    private static func authority(host: String, port: UInt16?, isSecure: Bool) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        guard let port, port != (isSecure ? 443 : 80) else { return name }
        return "\(name):\(port)"
    }

    private func open() async throws(HTTPClientError) {
        let deadline = loop.schedule(after: Self.connectDeadline) { self.transport.close(throwing: .timedOut) }
        defer { loop.cancel(deadline) }
        do {
            try await transport.handshake()
        } catch {
            transport.close()
            throw .tls(error)
        }
        transport.notify(whenReadable: true, whenWritable: false) { self.becameReady() }
    }
}
