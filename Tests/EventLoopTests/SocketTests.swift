import Glibc
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(10)))
struct SocketTests {
    private static let patience = Duration.seconds(30)

    private static func read(_ socket: Socket, atMost count: Int = 100) throws -> (IOResult, String) {
        var buffer = [UInt8](repeating: 0, count: count)
        let result = try buffer.withUnsafeMutableBytes { bytes in try socket.read(into: bytes) }
        guard case .bytes(let count) = result else { return (result, "") }
        return (result, String(decoding: buffer.prefix(count), as: UTF8.self))
    }

    private static func write(_ text: String, _ socket: Socket) throws -> IOResult {
        try Array(text.utf8).withUnsafeBytes { bytes in try socket.write(bytes) }
    }

    private static func talk(through address: SocketAddress) async throws {
        try await withLoop { loop in
            let listener = try Socket.listen(on: address)
            #expect(try listener.accept() == nil)
            let bound = try listener.localAddress()

            let client = try await Socket.connect(to: bound, on: loop, timeout: patience)
            #expect(loop.isCurrent)
            try await loop.waitUntilReady(listener.descriptor, for: .read, timeout: patience, operation: "accept")
            let (server, peer) = try #require(try listener.accept())
            #expect(peer.host == (bound.port == nil ? "" : bound.host))
            if bound.port != nil { try server.sendWithoutDelay() }

            #expect(try read(server).0 == .wouldBlock)
            #expect(try write("hello", client) == .bytes(5))
            try await loop.waitUntilReady(server.descriptor, for: .read, timeout: patience, operation: "read")
            #expect(try read(server, atMost: 3).1 == "hel")
            #expect(try read(server, atMost: 3).1 == "lo")
            #expect(try read(server).0 == .wouldBlock)

            client.shutdownWriting()
            try await loop.waitUntilReady(server.descriptor, for: .read, timeout: patience, operation: "read")
            #expect(try read(server).0 == .end)
            #expect(try write("bye", server) == .bytes(3))
            try await loop.waitUntilReady(client.descriptor, for: .read, timeout: patience, operation: "read")
            #expect(try read(client).1 == "bye")

            client.close()
            server.close()
            listener.close()
        }
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func bytesGoBothWaysOverTCP(ip: String) async throws {
        try await Self.talk(through: #require(SocketAddress(ip: ip, port: 0)))
    }

    @Test func bytesGoBothWaysOverAUnixSocket() async throws {
        let path = "/tmp/belfry-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        defer { unlink(path) }
        try await Self.talk(through: #require(SocketAddress(unixPath: path)))
    }

    @Test func reservedPortIsOnlyForThoseWhoNameIt() async throws {
        try await withLoop { loop in
            let reserved = try Socket.reserve(#require(SocketAddress(ip: "127.0.0.1", port: 0)))
            let address = try reserved.localAddress()
            await #expect(throws: SystemError.self) {
                _ = try await Socket.connect(to: address, on: loop, timeout: Self.patience)
            }
            let unnamed = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #expect(address.withPointer { bind(unnamed, $0, $1) } != 0 && errno == EADDRINUSE)
            close(unnamed)
            // More than once: a server may be started again.
            for _ in 0..<2 {
                let listener = try Socket.listen(on: address)
                try await Socket.connect(to: address, on: loop, timeout: Self.patience).close()
                listener.close()
            }
            reserved.close()
        }
    }

    @Test func aRefusedConnectionIsNamedWithItsAddress() async throws {
        try await withLoop { loop in
            let listener = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
            let address = try listener.localAddress()
            listener.close()

            let error = await #expect(throws: SystemError.self) {
                try await Socket.connect(to: address, on: loop, timeout: Self.patience)
            }
            #expect(error?.code == ECONNREFUSED)
            #expect(error?.description == "connect \(address): Connection refused")
        }
    }

    @Test func aMissingUnixSocketIsNamedWithItsPath() async throws {
        try await withLoop { loop in
            let error = await #expect(throws: SystemError.self) {
                try await Socket.connect(
                    to: #require(SocketAddress(unixPath: "/tmp/belfry-none.sock")), on: loop, timeout: Self.patience)
            }
            #expect(error?.description == "connect unix:/tmp/belfry-none.sock: No such file or directory")
        }
    }

    /// A listener with a queue of one: once it is full, the kernel ignores new connections.
    @Test func connectingEndsByTimeoutOrCancellation() async throws {
        try await withLoop { loop in
            let listener = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
            let address = try listener.localAddress()
            #expect(Glibc.listen(listener.descriptor, 0) == 0)
            var waiting: [Socket] = []
            var failure: SystemError?
            while failure == nil && waiting.count < 10 {
                do throws(SystemError) {
                    waiting.append(try await Socket.connect(to: address, on: loop, timeout: .milliseconds(100)))
                } catch {
                    failure = error
                }
            }
            #expect(failure?.description == "connect \(address): Connection timed out")

            await withTaskGroup { group in
                group.addTask {
                    await #expect(throws: SystemError.cancelled("connect \(address)")) {
                        try await Socket.connect(to: address, on: loop, timeout: .seconds(600))
                    }
                }
                await loop.turns(2)
                group.cancelAll()
            }
            for socket in waiting { socket.close() }
            listener.close()
        }
    }

    @Test func anAddressInUseIsNamed() async throws {
        let listener = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
        defer { listener.close() }
        let address = try listener.localAddress()
        let error = #expect(throws: SystemError.self) { try Socket.listen(on: address) }
        #expect(error?.description == "bind \(address): Address already in use")
    }

    @Test func writingToAPeerThatHasGoneIsAnErrorAndNotASignal() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let (near, far) = try Socket.pair()
        far.close()
        let error = #expect(throws: SystemError.self) { try Self.write("x", near) }
        #expect(error?.description == "send: Broken pipe")
        near.close()
    }

    @Test func systemErrorsSayWhatFailedAndWhy() {
        #expect(
            SystemError(operation: "bind 1.2.3.4:80", code: EACCES).description == "bind 1.2.3.4:80: Permission denied")
        #expect(SystemError.timedOut("connect").code == ETIMEDOUT)
        #expect(SystemError.cancelled("connect").description == "connect: Operation canceled")
    }
}
