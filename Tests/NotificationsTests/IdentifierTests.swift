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

    @Test(arguments: [
        "ABCDE 12345", "Key ID: ABCDE12345", "key id ABCDE12345", "AuthKey_ABCDE12345", "AuthKey_ABCDE12345.p8.txt",
        "ＡＢＣＤＥ１２３４５", "AuthKey_ABCDE12345 (1).p8",
    ])
    func keyIDIsReadAsPeoplePasteIt(_ text: String) throws {
        #expect(try KeyID(text).text == "ABCDE12345")
    }

    @Test(arguments: ["TEAM123456.com.example.Shop", "Team ID: TEAM123456", "TEAM 123456"])
    func teamIDIsReadAsPeoplePasteIt(_ text: String) throws {
        #expect(try TeamID(text).text == "TEAM123456")
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
        ("com_example", "bad-character"), ("com/example", "bad-character"),
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
            ("ABC123DEFG", nil), ("0123456789", nil), ("ABC123DEF", "wrong-length"), ("ABC123DEFGH", "wrong-length"),
            ("", "wrong-length"), ("ABC123DEF ", "wrong-length"), ("abc-23DEFG", "bad-character"),
            ("ABC 23DEFG", "bad-character"), ("ABC123DEÉ", "bad-character"),
        ] as [(String, String?)])
    func keyAndTeamIDAreTenUpperCaseLettersAndDigits(_ text: String, _ expected: String?) throws {
        #expect(code { () throws(InvalidValue) in try KeyID(text) } == expected)
        #expect(code { () throws(InvalidValue) in try TeamID(text) } == expected)
        if expected == nil {
            #expect(try KeyID(text).text == text)
            #expect(try TeamID(text).text == text)
        }
    }

    @Test(arguments: [
        "abc123defg", " ABC123DEFG ", "ABC123DEFG\r\n", "\u{A0}ABC123DEFG\u{200B}", "ABC123\u{2060}DEFG",
        "\"ABC123DEFG\"",
        "“ABC123DEFG”", "\u{FEFF}ABC123DEFG",
    ])
    func pastedIdentifiersAreRepaired(_ text: String) throws {
        #expect(try KeyID(text).text == "ABC123DEFG")
        #expect(try TeamID(text).text == "ABC123DEFG")
        let bundle = text.replacing("ABC123", with: "com.").replacing("abc123", with: "com.").replacing(
            "DEFG", with: "defg")
        #expect(try BundleID(bundle).text == "com.defg")
    }

    @Test func theNameOfApplesFileHasTheKeyID() throws {
        for name in [
            "AuthKey_ABC123DEFG.p8", "/home/me/AuthKey_ABC123DEFG (1).p8", "authkey_abc123defg.P8",
            "APNsAuthKey_ABC123DEFG.p8",
        ] {
            #expect(KeyID(fileName: name)?.text == "ABC123DEFG")
            #expect(try KeyID(name).text == "ABC123DEFG")
        }
        for name in ["key.p8", "AuthKey_ABC123DEF.p8", "AuthKey_ABC123DEFG.pem", ""] {
            #expect(KeyID(fileName: name) == nil)
        }
    }

    @Test func invalidValueBecomesAProblemOfItsField() throws {
        let error = try #require(throws: InvalidValue.self) { try TeamID("x") }

        #expect(error.problem(at: "team_id") == Problem(path: "team_id", code: "wrong-length", message: error.message))
    }
}
