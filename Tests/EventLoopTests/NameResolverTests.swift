import Dispatch
import TestSupport
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(10)))
struct NameResolverTests {
    private static let patience = Duration.seconds(30) * TestTimeouts.factor

    /// A resolver whose threads wait until the test lets them go on. Hosts with the name "quick" are found immediately.
    private final class HangingResolver: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let hosts = Lock<[String]>([])
        private let began = Lock<CheckedContinuation<Void, Never>?>(nil)
        private let maximumThreads: Int

        init(maximumThreads: Int) {
            self.maximumThreads = maximumThreads
        }

        /// The hosts that a thread has begun to look up, in order.
        var lookedUp: [String] { hosts.withLock { $0 } }

        func makeResolver() -> NameResolver {
            NameResolver(maximumThreads: maximumThreads) { host, port in
                let waiting = self.began.withLock { waiting in
                    self.hosts.withLock { $0.append(host) }
                    defer { waiting = nil }
                    return waiting
                }
                waiting?.resume()
                if host != "quick" { self.gate.wait() }
                return .success([SocketAddress.loopback(port: port)])
            }
        }

        /// Returns when `count` look-ups have begun.
        func began(_ count: Int) async {
            while lookedUp.count < count {
                await withCheckedContinuation { continuation in
                    let isLate = began.withLock { waiting in
                        guard hosts.withLock({ $0.count }) < count else { return true }
                        waiting = continuation
                        return false
                    }
                    if isLate { continuation.resume() }
                }
            }
        }

        func letGo(_ count: Int) { for _ in 0..<count { gate.signal() } }
    }

    @Test func localhostIsFoundBesideTheLoop() async throws {
        try await withLoop { loop in
            let addresses = try await NameResolver.system.addresses(of: "localhost", port: 5_432, on: loop)
            #expect(loop.isCurrent)
            #expect(!addresses.isEmpty)
            #expect(addresses.allSatisfy { ["127.0.0.1", "::1"].contains($0.host) && $0.port == 5_432 })
        }
    }

    @Test func addressNeedsNoLookUp() async throws {
        try await withLoop { loop in
            let hanging = HangingResolver(maximumThreads: 1)
            let addresses = try await hanging.makeResolver().addresses(of: "2001:db8::1", port: 5, on: loop)
            #expect(addresses.map(\.description) == ["[2001:db8::1]:5"])
            #expect(hanging.lookedUp == [])
        }
    }

    @Test func unknownNameIsAnErrorThatNamesIt() async throws {
        try await withLoop { loop in
            // RFC 6761 §6.4: this top level never exists.
            let error = await #expect(throws: ResolveError.self) {
                try await NameResolver.system.addresses(
                    of: "no-such-host.invalid", port: 80, within: Self.patience, on: loop)
            }
            #expect(error?.host == "no-such-host.invalid")
            #expect(error?.description.hasPrefix("cannot resolve no-such-host.invalid: ") == true)
        }
    }

    @Test func hangingLookUpEndsAtItsDeadlineAndTheErrorSaysWhatToDo() async throws {
        try await withLoop { loop in
            let hanging = HangingResolver(maximumThreads: 2)
            defer { hanging.letGo(1) }
            let resolver = hanging.makeResolver()
            let error = await #expect(throws: ResolveError.self) {
                try await resolver.addresses(of: "a.example", port: 80, within: .milliseconds(50), on: loop)
            }
            #expect(
                error?.description == """
                    cannot resolve a.example: the name servers have not answered within 0.05 seconds. Check the name \
                    servers in /etc/resolv.conf, and that this host can reach them.
                    """)
        }
    }

    @Test func cancellationEndsALookUpImmediately() async throws {
        try await withLoop { loop in
            let hanging = HangingResolver(maximumThreads: 1)
            defer { hanging.letGo(1) }
            let resolver = hanging.makeResolver()
            await withTaskGroup { group in
                group.addTask {
                    let error = await #expect(throws: ResolveError.self) {
                        try await resolver.addresses(of: "a.example", port: 80, within: .seconds(600), on: loop)
                    }
                    #expect(error?.reason == "the look-up was cancelled")
                }
                await hanging.began(1)
                group.cancelAll()
            }
        }
    }

    @Test func hangingLookUpsTakeNoMoreThreadsThanAllowed() async throws {
        try await withLoop { loop in
            let hanging = HangingResolver(maximumThreads: 2)
            let resolver = hanging.makeResolver()
            await withTaskGroup { group in
                for host in ["a.example", "b.example"] {
                    group.addTask {
                        await #expect(throws: ResolveError.self) {
                            try await resolver.addresses(of: host, port: 80, within: .seconds(600), on: loop)
                        }
                    }
                }
                await hanging.began(2)
                group.cancelAll()
            }
            // No thread is left for this one, and none looks it up later.
            let error = await #expect(throws: ResolveError.self) {
                try await resolver.addresses(of: "c.example", port: 80, within: .milliseconds(20), on: loop)
            }
            #expect(error?.reason.hasPrefix("2 other look-ups have had no answer so far. Check") == true)

            // A thread that is free again takes the next one.
            hanging.letGo(1)
            let addresses = try await resolver.addresses(of: "quick", port: 80, within: Self.patience, on: loop)
            #expect(addresses.map(\.description) == ["127.0.0.1:80"])
            #expect(hanging.lookedUp.count == 3 && hanging.lookedUp.last == "quick")
            hanging.letGo(1)
        }
    }
}
