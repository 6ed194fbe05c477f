import EventLoop
import HTTP2
import TLS

extension APNSConnection {
    /// Opens a TLS connection with HTTP/2 agreed on. Apple's host name resolves to several addresses: each connection
    /// tries them in random order until one works.
    func connect(tls: TLSContext) async throws(APNSError) -> Transport {
        let addresses: [SocketAddress]
        do {
            addresses = try await options.resolver.addresses(
                of: endpoint.host, port: endpoint.port, within: options.resolveTimeout, on: loop)
        } catch {
            throw .address(error.description)
        }
        var failures: [APNSError.Attempt] = []
        for address in addresses.shuffled() {
            do throws(APNSError) {
                return try await connect(to: address, tls: tls)
            } catch {
                failures.append(APNSError.Attempt(address: address.description, error: error))
            }
        }
        guard let first = failures.first else { throw .address("\(endpoint.host) has no address") }
        throw failures.count == 1 ? first.error : .everyAddress(failures)
    }

    private func connect(to address: SocketAddress, tls: TLSContext) async throws(APNSError) -> Transport {
        let socket: Socket
        do {
            socket = try await Socket.connect(to: address, on: loop, timeout: options.connectTimeout)
        } catch {
            throw .connect(error.description)
        }
        let transport: Transport
        do {
            transport = try Transport(socket, on: loop, tls: tls, host: endpoint.host)
        } catch {
            socket.close()
            throw .tls(error)
        }
        let deadline = loop.schedule(after: options.connectTimeout) { transport.close(throwing: .timedOut) }
        defer { loop.cancel(deadline) }
        do {
            try await transport.handshake()
        } catch {
            transport.close()
            throw .tls(error)
        }
        guard transport.agreedProtocol == "h2" else {
            transport.close()
            throw .http2(.notAgreed)
        }
        return transport
    }
}
