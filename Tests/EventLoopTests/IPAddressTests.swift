import EventLoop
import Testing

struct IPAddressTests {
    @Test func bothFormsOfAnIPv4AddressAreEqual() throws {
        let plain = try #require(IPAddress("192.0.2.1"))
        #expect(plain.isIPv4 && plain == IPAddress("::ffff:192.0.2.1"))
        let compatible = try #require(IPAddress("::192.0.2.1"))
        #expect(!compatible.isIPv4 && compatible != plain)
        let mapped = try #require(SocketAddress(ip: "::ffff:192.0.2.1", port: 80))
        #expect(mapped.unmapped.description == "192.0.2.1:80")
        #expect(try #require(SocketAddress(ip: "2001:db8::1", port: 80)).unmapped.description == "[2001:db8::1]:80")
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4:80", "[::1]", "::1%lo", "localhost", " 1.2.3.4", "01.2.3.4"])
    func whatIsNoAddressIsNil(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "192.0.2.1", true),
            ("2001:db8::1", "2001:db8::ffff:1:2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ])
    func clientsOfOneNetworkAreCountedTogether(one: String, other: String, together: Bool) throws {
        let (one, other) = try (#require(IPAddress(one)), #require(IPAddress(other)))
        #expect((one.network == other.network) == together)
    }

    @Test(
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3/8", "10.9.9.9", true),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.0", false), ("192.0.2.1/32", "192.0.2.1", true),
            ("0.0.0.0/0", "203.0.113.7", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "192.0.2.1", true),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
            ("2001:db8::/127", "2001:db8::1", true), ("2001:db8::/127", "2001:db8::2", false),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("::ffff:10.0.0.0/104", "10.0.0.1", true), ("::1", "::1", true),
        ])
    func rangesContainTheirAddresses(range: String, address: String, isInside: Bool) throws {
        let (range, address) = try (#require(AddressRange(range)), #require(IPAddress(address)))
        #expect(range.contains(address) == isInside)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "a/8",
    ])
    func whatIsNoRangeIsNil(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
