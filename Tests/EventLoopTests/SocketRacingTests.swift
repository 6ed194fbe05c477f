import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(10)))
struct SocketRacingTests {
    private static let patience = Duration.seconds(30) * TestTimeouts.factor

    private static func listener() throws -> (Socket, SocketAddress) {
        let listener = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
        return (listener, try listener.localAddress())
    }

    /// A port on which nothing listens.
    private static func refusing() throws -> SocketAddress {
        let (listener, address) = try listener()
        listener.close()
        return address
    }

    @Test func addressThatNeverAnswersDelaysAConnectionByAQuarterOfASecond() async throws {
        try await withLoop { loop in
            let silent = try await SilentListener(on: loop)
            defer { silent.close() }
            let (listener, address) = try Self.listener()
            defer { listener.close() }
            var race = AddressRace(inOrder: [silent.address, address])
            let began = MonotonicTime.now()
            let end = await Socket.connect(with: &race, on: loop, timeout: Self.patience)
            let elapsed = MonotonicTime.now() - began

            #expect(end.winner?.index == 1 && end.failures.isEmpty)
            #expect(elapsed >= AddressRace.attemptDelay)
            // Far less than the attempt's timeout.
            #expect(elapsed < AddressRace.attemptDelay + .seconds(5) * TestTimeouts.factor)
            end.winner?.socket.close()
        }
    }

    @Test func refusedAddressDelaysNothing() async throws {
        try await withLoop { loop in
            let (listener, address) = try Self.listener()
            defer { listener.close() }
            let refusing = try Self.refusing()
            var race = AddressRace(inOrder: [refusing, refusing, refusing, refusing, refusing, address])
            let began = MonotonicTime.now()
            let end = await Socket.connect(with: &race, on: loop, timeout: Self.patience)

            #expect(end.winner?.index == 5)
            #expect(end.failures.map(\.error.code) == Array(repeating: ECONNREFUSED, count: 5))
            #expect(.now() - began < AddressRace.attemptDelay * 5 * TestTimeouts.factor)
            end.winner?.socket.close()
        }
    }

    @Test func failuresOfAllAddressesAreReturned() async throws {
        try await withLoop { loop in
            let addresses = [try Self.refusing(), try Self.refusing()]
            var race = AddressRace(inOrder: addresses)
            let end = await Socket.connect(with: &race, on: loop, timeout: Self.patience)

            #expect(end.winner == nil)
            #expect(end.failures.map(\.address.description) == addresses.map(\.description))
        }
    }

    @Test func raceGoesOnAfterAWinnerThatDoesNotWork() async throws {
        try await withLoop { loop in
            let (listener, address) = try Self.listener()
            defer { listener.close() }
            var race = AddressRace(inOrder: [address, address, try Self.refusing()])
            var winners: [Int] = []
            while true {
                let end = await Socket.connect(with: &race, on: loop, timeout: Self.patience)
                guard let (socket, index) = end.winner else {
                    #expect(end.failures.map(\.error.code) == [ECONNREFUSED])
                    break
                }
                winners.append(index)
                socket.close()
                race.failed(index)
            }
            #expect(winners == [0, 1])
        }
    }

    @Test func attemptsThatAreGivenUpAreClosed() async throws {
        try await withLoop { loop in
            let silent = try await SilentListener(on: loop)
            defer { silent.close() }
            let (listener, address) = try Self.listener()
            defer { listener.close() }
            // The silent address is tried until the other has won.
            var race = AddressRace(inOrder: [silent.address, address])
            let end = await Socket.connect(with: &race, on: loop, timeout: Self.patience)
            #expect(end.winner?.index == 1)
            #expect(Self.connecting(to: silent.address) == 0)
            end.winner?.socket.close()
        }
    }

    @Test func cancellationClosesAllAttempts() async throws {
        try await withLoop { loop in
            let silent = try await SilentListener(on: loop)
            defer { silent.close() }
            await withTaskGroup { group in
                group.addTask {
                    var race = AddressRace(inOrder: [silent.address, silent.address, silent.address])
                    let end = await Socket.connect(with: &race, on: loop, timeout: .seconds(600))
                    #expect(end.winner == nil)
                    #expect(end.failures.allSatisfy { $0.error.code == ECANCELED })
                }
                while Self.connecting(to: silent.address) < 2 { await loop.turns(1) }
                group.cancelAll()
            }
            #expect(Self.connecting(to: silent.address) == 0)
        }
    }

    @Test func attemptThatConnectsWhileItIsGivenUpIsClosed() async throws {
        try await withLoop { loop in
            let listeners = [try await SilentListener(on: loop), try await SilentListener(on: loop)]
            defer { for listener in listeners { listener.close() } }
            let addresses = listeners.map(\.address)
            async let racing = {
                var race = AddressRace(inOrder: addresses)
                return await Socket.connect(with: &race, on: loop, timeout: Self.patience)
            }()
            while !addresses.allSatisfy({ Self.connecting(to: $0) == 1 }) { await loop.turns(1) }
            for listener in listeners { listener.answer() }
            // The loop, which runs this, sees both connections in the same turn.
            let end = MonotonicTime.now() + Self.patience
            while !addresses.allSatisfy({ Self.connected(to: $0) == 1 }), .now() < end { usleep(1_000) }

            let winner = try #require(await racing.winner)
            #expect(
                addresses.indices.map { Self.connected(to: addresses[$0]) == 1 } == [
                    winner.index == 0, winner.index == 1,
                ])
            winner.socket.close()
        }
    }

    /// The number of this machine's sockets that wait for an answer of the address (state SYN-SENT).
    private static func connecting(to address: SocketAddress) -> Int { sockets(in: "02", to: address) }

    /// Those that are connected to the address (state ESTABLISHED).
    private static func connected(to address: SocketAddress) -> Int { sockets(in: "01", to: address) }

    private static func sockets(in state: String, to address: SocketAddress) -> Int {
        guard let file = fopen("/proc/net/tcp", "r") else { return -1 }
        defer { fclose(file) }
        let port = String(address.port ?? 0, radix: 16, uppercase: true)
        let remote = "0100007F:" + String(repeating: "0", count: 4 - port.utf8.count) + port
        var line = [CChar](repeating: 0, count: 300)
        var count = 0
        while fgets(&line, Int32(line.count), file) != nil {
            let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                .split(separator: " ")
            if fields.count > 3, fields[2] == remote, fields[3] == state { count += 1 }
        }
        return count
    }
}
