import EventLoop
import JSON
import Notifications
import Testing

@testable import Belfry

@Suite struct PublicAddressTests {
    @Test(arguments: [
        "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.19.255.255",
        "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
        "::ffff:8.8.8.8", "64:ff9b::7f00:1", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "2001::1", "2001:db8::1",
        "2002:7f00:1::",
    ])
    func privateAddressesAreRestricted(_ ip: String) throws {
        #expect(PublicAddress.restriction(of: try #require(SocketAddress(ip: ip, port: 443))) != nil)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255",
        "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
        "2606:4700::1", "2a00:1450::1", "2001:200::1", "2003::1",
    ])
    func publicAddressesAreNotRestricted(_ ip: String) throws {
        #expect(PublicAddress.restriction(of: try #require(SocketAddress(ip: ip, port: 443))) == nil)
    }

    @Test func ruleIsNamed() throws {
        let address = try #require(SocketAddress(ip: "10.0.0.1", port: 443))
        #expect(PublicAddress.restriction(of: address) == "10.0.0.0/8, a private network")
    }
}
