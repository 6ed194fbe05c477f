import EventLoop
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1", 80, "127.0.0.1:80"), ("0.0.0.0", 0, "0.0.0.0:0"),
        ("255.255.255.255", 65_535, "255.255.255.255:65535"),
        ("::1", 443, "[::1]:443"), ("2001:DB8:0:0::5", 1, "[2001:db8::5]:1"), ("::", 0, "[::]:0"),
        ("::ffff:10.0.0.1", 8, "[::ffff:10.0.0.1]:8"),
    ])
    func numericAddressesAreReadAndWritten(ip: String, port: UInt16, text: String) throws {
        let address = try #require(SocketAddress(ip: ip, port: port))
        #expect(address.description == text)
        #expect(address.port == port)
        #expect(text.contains(address.host))
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4:80", "[::1]", ":::", " 1.2.3.4"])
    func whatIsNoNumericAddressIsNil(ip: String) {
        #expect(SocketAddress(ip: ip, port: 1) == nil)
    }

    @Test func aUnixPathHasUpTo107Bytes() throws {
        let longest = "/" + String(repeating: "p", count: 106)
        let address = try #require(SocketAddress(unixPath: longest))
        #expect(address.host == longest)
        #expect(address.description == "unix:" + longest)
        #expect(address.port == nil)
        #expect(SocketAddress(unixPath: longest + "p") == nil)
        #expect(SocketAddress(unixPath: "") == nil)
        #expect(SocketAddress(unixPath: "/tmp/a\0b") == nil)
    }
}
