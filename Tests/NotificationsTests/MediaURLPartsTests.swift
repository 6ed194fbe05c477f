import Notifications
import Testing

struct MediaURLPartsTests {
    @Test(
        arguments: [
            ("https://example.com/a.png?b=c#d", "example.com", nil, "/a.png?b=c"),
            ("https://example.com", "example.com", nil, "/"), ("HTTPS://example.com?x", "example.com", nil, "/?x"),
            ("https://example.com:8443/a", "example.com", 8_443, "/a"), ("https://[::1]:9/a", "::1", 9, "/a"),
            ("https://[2001:db8::1]/", "2001:db8::1", nil, "/"),
        ] as [(String, String, UInt16?, String)])
    func urlIsSplitIntoParts(_ url: String, _ host: String, _ port: UInt16?, _ path: String) throws {
        let parts = MediaURLParts(try MediaURL(url))

        #expect(parts.host == host)
        #expect(parts.port == port)
        #expect(parts.path == path)
    }
}
