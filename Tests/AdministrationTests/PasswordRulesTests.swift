import Administration
import Campaigns
import JSON
import Testing

@Suite struct PasswordRulesTests {
    private func problem(_ password: String, _ email: String = "mina.harker@example.com") throws -> String? {
        PasswordRules.problem(of: password, for: try EmailAddress(email))?.code
    }

    @Test(arguments: [
        "password123", "P@ssw0rd2026!", "Passwort!!!1", "qwertyuiop", "1234567890", "0987654321", "letmein2024",
        "iloveyou1234", "1qaz2wsx3edc", "aaaaaaaaaaaa", "abcabcabcabc", "12121212121", "WelcomeAdmin1", "sunshine99",
        "belfry2026!!", "mina.harker1", "mina.harker-2026", "zyxwvutsrqpo", "football2026", "Dr4g0nM0nk3y",
        "20261123195", "mina.harker@example.com", "Mina.Harker@Example.com1", "example.com2026",
    ])
    func commonPasswordIsRefused(_ password: String) throws {
        #expect(try problem(password) == "too-common")
    }

    @Test(arguments: [
        "correct horse battery staple", "happyrainbowcoffeemountain", "tuesdays smell of rain", "g7#kQ2!vZp0x",
        "glockenturm im nebel", "鐘楼の上で三回鳴る鐘の音", "mina.harker likes trains", "mesa-quartz-lobby-12",
    ])
    func passphraseIsAccepted(_ password: String) throws {
        #expect(try problem(password) == nil)
    }

    @Test func lengthIsLimitedOnBothSides() throws {
        #expect(try problem("g7#kQ2!vZ") == "too-short")
        #expect(try problem(String(repeating: "g7#kQ2!vZp", count: 20)) == nil)
        #expect(try problem(String(repeating: "g7#kQ2!vZp", count: 20) + "x") == "too-long")
    }

    @Test func emailIsComparedInLowerCase() throws {
        #expect(try EmailAddress("Mina@Example.COM").text == "mina@example.com")
        for text in [
            "", "mina", "@example.com", "mina@", "a@b@c", "mi na@example.com", "mina@example.com\n",
            "mi\u{200B}na@example.com", "mi\u{AD}na@example.com",
            "mina@exam\u{3164}ple.com",
        ] {
            #expect(throws: InvalidValue.self) { try EmailAddress(text) }
        }
        #expect(throws: InvalidValue.self) { try EmailAddress(String(repeating: "a", count: 250) + "@b.de") }
    }
}
