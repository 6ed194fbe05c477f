import JSON
import Notifications
import Testing

@Suite struct IdentifierTests {
    private func code<Value>(_ make: () throws(InvalidValue) -> Value) -> String? {
        do throws(InvalidValue) {
            _ = try make()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func collapseIDHasAtMostSixtyFourBytes() throws {
        let longest = String(repeating: "x", count: 64)

        #expect(try CollapseID(longest).text == longest)
        #expect(try CollapseID("a").description == "a")
        #expect(code { () throws(InvalidValue) in try CollapseID(longest + "x") } == "too-long")
        #expect(code { () throws(InvalidValue) in try CollapseID(String(repeating: "é", count: 33)) } == "too-long")
        #expect(code { () throws(InvalidValue) in try CollapseID("") } == "empty")
    }

    @Test(arguments: ["a\nb", "a\r\nb: c", "\u{0}", "\u{7F}", " a", "a ", "é", "a\tb", "a\r\n"])
    func collapseIDIsSafeInAHeader(_ text: String) {
        #expect(code { () throws(InvalidValue) in try CollapseID(text) } == "not-printable-ascii")
    }

    @Test(arguments: ["score 2:1", "~!", "game-42"])
    func collapseIDAcceptsPrintableASCII(_ text: String) throws {
        #expect(try CollapseID(text).text == text)
    }

    @Test(arguments: ["com.example.Shop", "a", "com.example.my-app2", "9.x", "com.apple.mgmt.External.0a1b-2c"])
    func bundleIDIsLettersDigitsHyphensAndDots(_ text: String) throws {
        #expect(try BundleID(text).text == text)
    }

    @Test(arguments: [
        ("", "empty"), ("com.example shop", "bad-character"), ("com.example.shöp", "bad-character"),
        ("com_example", "bad-character"), ("com/example", "bad-character"), ("com.example\n", "bad-character"),
        (".com", "bad-dot"), ("com.", "bad-dot"), ("com..example", "bad-dot"), (".", "bad-dot"),
    ])
    func bundleIDRejectsOtherCharacters(_ text: String, _ expected: String) {
        #expect(code { () throws(InvalidValue) in try BundleID(text) } == expected)
    }

    @Test func bundleIDHasAtMost155Bytes() throws {
        let longest = String(repeating: "a", count: 155)

        #expect(try BundleID(longest).text == longest)
        #expect(code { () throws(InvalidValue) in try BundleID(longest + "a") } == "too-long")
    }

    @Test(
        arguments: [
            ("ABC123DEFG", nil), ("0123456789", nil), ("abc123defg", "lower-case"), ("ABC123DEF", "wrong-length"),
            ("ABC123DEFGH", "wrong-length"), ("", "wrong-length"), ("ABC123DEF ", "bad-character"),
            ("abc-23DEFG", "bad-character"), ("ABC123DEÉ", "bad-character"),
        ] as [(String, String?)])
    func keyAndTeamIDAreTenUpperCaseLettersAndDigits(_ text: String, _ expected: String?) throws {
        #expect(code { () throws(InvalidValue) in try KeyID(text) } == expected)
        #expect(code { () throws(InvalidValue) in try TeamID(text) } == expected)
        if expected == nil {
            #expect(try KeyID(text).text == text)
            #expect(try TeamID(text).text == text)
        }
    }

    @Test func invalidValueBecomesAProblemOfItsField() throws {
        let error = try #require(throws: InvalidValue.self) { try TeamID("x") }

        #expect(error.problem(at: "team_id") == Problem(path: "team_id", code: "wrong-length", message: error.message))
    }
}
