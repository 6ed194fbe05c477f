import EventLoop
import HTTP2
import TLS

extension APNSConnection {
    /// Opens a TLS connection with HTTP/2 agreed on. Apple's host name resolves to several addresses: the first that
    /// accepts a TCP connection gets the TLS handshake. If that fails, the others are tried.
    func connect(tls: TLSContext) async throws(APNSError) -> Transport {
        let addresses: [SocketAddress]
        do {
            addresses = try await options.resolver.addresses(
                of: endpoint.host, port: endpoint.port, within: options.resolveTimeout, on: loop)
        } catch {
            throw .address(error.description)
        }
        var race = AddressRace(addresses)
        var failures: [APNSError.Attempt] = []
        while true {
            let end = await Socket.connect(with: &race, on: loop, timeout: options.connectTimeout)
            failures += end.failures.map { address, error in
                APNSError.Attempt(address: address.description, error: .connect(error.description))
            }
            guard let (socket, index) = end.winner else { break }
            do throws(APNSError) {
                return try await handshake(on: socket, tls: tls)
            } catch {
                race.failed(index)
                failures.append(APNSError.Attempt(address: race.addresses[index].description, error: error))
            }
        }
        guard !Task.isCancelled else { throw .shutDown }
        guard let first = failures.first else { throw .address("\(endpoint.host) has no address") }
        throw failures.count == 1 ? first.error : .everyAddress(failures)
    }

    private func handshake(on socket: Socket, tls: TLSContext) async throws(APNSError) -> Transport {
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
