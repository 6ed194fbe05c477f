import EventLoop
import HTTPClient
import HTTPTypes
import TestSupport
import Testing

@testable import HTTPServer

struct TrustedProxiesTests {
    private static let proxies = TrustedProxies(
        ["10.0.0.0/8", "2001:db8:ffff::/48"].compactMap { AddressRange($0) })

    @Test(
        arguments: [
            // A client that is no proxy can write what it wants.
            ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
            ("203.0.113.9", ["10.0.0.2"], "203.0.113.9"),
            // One proxy, and what the client wrote before it.
            ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["8.8.8.8, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["8.8.8.8", "198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["10.0.0.2,198.51.100.1"], "198.51.100.1"),
            // Several proxies.
            ("10.0.0.1", ["8.8.8.8, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", ["198.51.100.1", "10.0.0.3", "10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            // Ports, brackets, IPv6, IPv4-mapped addresses.
            ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
            ("10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
            ("10.0.0.1", ["[2001:db8::7]"], "2001:db8::7"),
            ("10.0.0.1", ["[2001:db8::7]:443"], "2001:db8::7"),
            ("10.0.0.1", ["\t ::ffff:198.51.100.1 "], "198.51.100.1"),
            ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["198.51.100.1, ::ffff:10.0.0.2"], "198.51.100.1"),
            ("2001:db8:ffff::1", ["2001:db8::7, 2001:db8:ffff::2"], "2001:db8::7"),
            // A text that is no address ends the search at the proxy that sent it.
            ("10.0.0.1", ["unknown"], "10.0.0.1"),
            ("10.0.0.1", [""], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1, "], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1, , 10.0.0.2"], "10.0.0.2"),
            ("10.0.0.1", ["198.51.100.1, unknown, 10.0.0.2"], "10.0.0.2"),
            ("10.0.0.1", ["198.51.100.1:99999"], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1:"], "10.0.0.1"),
            ("10.0.0.1", ["[198.51.100.1]"], "10.0.0.1"),
            ("10.0.0.1", ["[::1"], "10.0.0.1"),
            ("10.0.0.1", ["2001:db8::7%eth0"], "10.0.0.1"),
            ("10.0.0.1", ["\"198.51.100.1\""], "10.0.0.1"),
        ])
    func theClientIsTheLastAddressThatIsNoTrustedProxy(peer: String, fields: [String], client: String) async throws {
        let peer = try #require(SocketAddress(ip: peer, port: 5))
        try await TestLoop.run { loop in
            var headers = HTTPFields()
            for field in fields {
                headers.append(HTTPField(name: try #require(.init("x-forwarded-for")), value: field))
            }
            let request = try Request(
                .get, "/", headers: headers, on: loop, from: peer,
                behind: Self.proxies)
            #expect(request.clientAddress.host == client)
        }
    }

    @Test func moreThanTheMaximumOfHopsIsNotRead() throws {
        let hops = TrustedProxies.maximumHops
        let peer = try #require(SocketAddress(ip: "10.0.0.1", port: 5))
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        func client(_ proxies: Int) -> String {
            let list = (["198.51.100.1"] + (0..<proxies).map { "10.0.1.\($0)" }).joined(separator: ",")
            return Self.proxies.client(behind: peer, [name: list]).host
        }
        #expect(client(hops - 1) == "198.51.100.1")
        #expect(client(hops) == "10.0.1.0")
    }

    @Test(
        arguments: [
            ("10.0.0.1", "https", true), ("10.0.0.1", " HTTPS ", true), ("10.0.0.1", "http", false),
            ("10.0.0.1", "http, https", true), ("10.0.0.1", "https, http", false), ("10.0.0.1", "", false),
            ("10.0.0.1", nil, false), ("203.0.113.9", "https", false),
        ])
    func onlyATrustedProxyTellsWhetherTheClientUsesTLS(peer: String, scheme: String?, isSecure: Bool) async throws {
        let peer = try #require(SocketAddress(ip: peer, port: 5))
        try await TestLoop.run { loop in
            var headers = HTTPFields()
            if let scheme { headers[try #require(.init("X-Forwarded-Proto"))] = scheme }
            let request = try Request(
                .get, "/", headers: headers, on: loop, from: peer,
                behind: Self.proxies)
            #expect(request.isSecure == isSecure)
        }
    }

    @Test func connectionsOfTrustedProxiesAreNotLimitedByAddress() async throws {
        var clients = Router(logger: LiveServer.quiet)
        clients.add(.get, "/client") { .text("\($0.clientAddress) \($0.isSecure)") }
        let router = clients
        for proxies in [TrustedProxies(), TrustedProxies([try #require(AddressRange("127.0.0.0/8"))])] {
            try await LiveServer.run(
                router,
                configure: {
                    $0.maximumConnectionsPerAddress = 1
                    $0.trustedProxies = proxies
                }
            ) { live in
                let isTrusted = proxies.contains(live.address)
                let first = try await live.client()
                #expect(try await first.send(.get, "/client").0.status == .ok)
                let text = try await live.exchange(
                    """
                    GET /client HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\n\
                    Connection: close\r\n\r\n
                    """)
                #expect(text.status == (isTrusted ? 200 : 503))
                #expect(text.hasSuffix("192.0.2.7:0 true") == isTrusted)
                await first.close()
            }
        }
    }
}
