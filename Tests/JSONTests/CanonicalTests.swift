import JSON
import Testing

struct CanonicalTests {
    @Test(arguments: [
        ("3", "3"), ("3.0", "3"), ("3e0", "3"), ("30E-1", "3"), ("-0", "0"), ("-0.0", "0"), ("0e5", "0"),
        ("1e2", "100"),
        ("-2.50", "-2.5"), ("0.010", "0.01"), ("1e-3", "0.001"), ("12.5e1", "125"), ("120e-1", "12"),
        ("12345678901234567890.50", "12345678901234567890.5"), ("1e39", "1" + String(repeating: "0", count: 39)),
        ("1e40", "1e40"), ("10.0e300", "1e301"), ("1.0e-300", "1e-300"),
        ("1234567890123456789012345678901234567890123", "1234567890123456789012345678901234567890123"),
        ("0.12345678901234567890123456789012345678901230", "0.1234567890123456789012345678901234567890123"),
    ])
    func aNumberHasOneSpelling(text: String, expected: String) throws {
        let canonical = try JSON(parsing: text).canonical

        #expect(canonical == (try JSON(parsing: expected)))
        #expect(canonical.encoded() == Array(expected.utf8))
        #expect(canonical.canonical == canonical)
    }

    @Test(arguments: [
        ("e\u{301}", "\u{E9}"), ("\u{E9}", "\u{E9}"), ("plain", "plain"), ("か\u{3099}", "が"), ("한", "한"),
        ("\u{1112}\u{1161}\u{11AB}", "한"), ("\u{212B}", "\u{C5}"), ("日本語 🔔", "日本語 🔔"), ("и\u{306}", "й"),
        ("a\u{323}\u{302}", "\u{1EAD}"), ("a\u{302}\u{323}", "\u{1EAD}"), ("👨\u{200D}👩", "👨\u{200D}👩"), ("ﬁ", "ﬁ"),
    ])
    func aTextHasOneForm(text: String, expected: String) {
        #expect(Array(text.composed.utf8) == Array(expected.utf8))
        #expect(Array(text.composed.composed.utf8) == Array(expected.utf8))
    }

    @Test func namesAndValuesInsideAreCanonical() throws {
        let json = try JSON(parsing: "{\"e\u{301}\":[1.0,{\"a\":\"e\u{301}\"}],\"b\":null}")

        #expect(json.canonical.encoded() == Array("{\"\u{E9}\":[1,{\"a\":\"\u{E9}\"}],\"b\":null}".utf8))
    }
}
