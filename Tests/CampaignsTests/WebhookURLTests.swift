import Campaigns
import JSON
import Testing

struct WebhookURLTests {
    @Test(
        arguments: [
            ("https://example.com/hook?a=b", true, 443), ("http://example.com/hook?a=b", false, 80),
            ("HTTP://example.com:8080/hook?a=b", false, 8_080),
        ] as [(String, Bool, UInt16)])
    func schemeGivesThePort(_ text: String, _ isSecure: Bool, _ port: UInt16) throws {
        let url = try WebhookURL(text, allowsPlain: true)

        #expect(url.text == text && url.host == "example.com" && url.path == "/hook?a=b")
        #expect(url.isSecure == isSecure && url.port == port)
    }

    @Test(arguments: [
        ("http://example.com/", "not-https"), ("ftp://example.com/", "not-https"), ("https://", "no-host"),
        ("https://ada:secret@example.com/", "has-credentials"), ("https://example.com:0/", "bad-port"),
    ])
    func otherAddressesAreRefused(_ text: String, _ code: String) {
        let error = #expect(throws: InvalidValue.self) { try WebhookURL(text, allowsPlain: false) }
        #expect(error?.code == code)
    }
}
