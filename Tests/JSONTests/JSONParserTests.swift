import Foundation
import JSON
import Testing

@Suite struct JSONParserTests {
    /// A text, whether this parser accepts it, and whether Foundation differs.
    struct Case: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let isAccepted: Bool
        let foundationDiffers: Bool

        init(_ text: String, accepted: Bool, foundationDiffers: Bool = false) {
            self.init(Array(text.utf8), accepted: accepted, foundationDiffers: foundationDiffers)
        }

        init(_ bytes: [UInt8], accepted: Bool, foundationDiffers: Bool = false) {
            self.bytes = bytes
            isAccepted = accepted
            self.foundationDiffers = foundationDiffers
        }

        var testDescription: String { String(decoding: bytes.prefix(40), as: UTF8.self) }
    }

    static let accepted = [
        "null", "true", "false", "0", "-0", "1e3", "1E+3", "1e-3", "-0.5e00", "0.0", "11153971268435968",
        "\"\"", "[]", "{}", " \t\r\n[ 1 , 2 ] \n", "{ \"a\" : { } }", "[[],{}]", "{\"\":1}",
        "\"\\u0041\\/\\b\\f\\n\\r\\t\\\"\\\\\"", "\"\\ud83d\\ude00\"", "\"\\uD83D\\uDE00\"", "\"\\u0000\"",
        "\"\u{7F}\u{2028}\u{FEFF}\"",
    ].map { Case($0, accepted: true) }

    static let refused = [
        "", " ", "[1,,]", "[,1]", "[1 2]", "{\"a\" 1}", "{a:1}", "{'a':1}", "{1:1}", "[", "]", "{", "}",
        "{\"a\"", "{\"a\":", "{\"a\":1", "[1", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "-", "+1", ".5",
        "1.", "1.e1", "1e", "1e+", "01", "-01", "0x10", "1_000", "\"", "\"\\", "\"\\x41\"", "\"\\u00\"",
        "\"\\u00g0\"", "\"\\u+041\"", "\"\\U0041\"", "\"a\nb\"", "\"\t\"", "\"\u{0}\"", "// c\n1", "/* c */1",
        "[1]]", "1 2", "{} {}", "'a'", "[\u{B}1]", "[\u{A0}1]", "\u{C}1", "\"\\ud83d\"", "\"\\ud83dx\"",
        "\"\\ud83d\\n\"", "\"\\ud83d\\u0041\"", "\"\\ude00\"", "\"\\ude00\\ud83d\"", "\"\\ud83d\\ud83d\"",
        "\"\\ud83d\\", "\"\\ud83d\\ude0",
    ].map { Case($0, accepted: false) }

    static let refusedBytes: [Case] = [
        Case([0x22, 0xFF, 0x22], accepted: false),
        Case([0x22, 0xC0, 0x80, 0x22], accepted: false),  // overlong NUL
        Case([0x22, 0xED, 0xA0, 0x80, 0x22], accepted: false),  // a surrogate in UTF-8
        Case([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], accepted: false),  // beyond U+10FFFF
        Case([0x22, 0xE2, 0x82, 0x22], accepted: false),  // cut off
        Case([0x5B, 0x00, 0x5D], accepted: false),
        Case([0x80], accepted: false),
    ]

    /// Texts where this parser differs from Foundation on purpose.
    static let disputed: [Case] = [
        Case("[1,]", accepted: false, foundationDiffers: true),
        Case("{\"a\":1,}", accepted: false, foundationDiffers: true),
        Case("{\"a\":1,\"a\":2}", accepted: false, foundationDiffers: true),
        Case("{\"a\":1,\"\\u0061\":2}", accepted: false, foundationDiffers: true),
        Case([0xEF, 0xBB, 0xBF, 0x31], accepted: false, foundationDiffers: true),  // byte order mark
        Case([0x31, 0x00], accepted: false, foundationDiffers: true),  // taken for UTF-16
        Case([0x31, 0x00, 0x32, 0x00], accepted: false, foundationDiffers: true),  // UTF-16
        Case("1e999", accepted: true, foundationDiffers: true),  // kept as text, never computed with
    ]

    @Test(arguments: accepted + refused + refusedBytes + disputed)
    func acceptsWhatFoundationAcceptsExceptListedDifferences(_ given: Case) {
        let ours = (try? JSON(parsing: given.bytes)) != nil
        let theirs = (try? JSONSerialization.jsonObject(with: Data(given.bytes), options: .fragmentsAllowed)) != nil

        #expect(ours == given.isAccepted)
        #expect(theirs == (given.isAccepted != given.foundationDiffers))
    }

    @Test func membersKeepTheirOrderAndNumbersTheirText() throws {
        let text = #"{"z":1.0,"a":[11153971268435968,0.5,1e3,-0,1E+3],"m":{"b":null,"a":true}}"#

        let json = try JSON(parsing: text)

        #expect(String(decoding: json.encoded(), as: UTF8.self) == text)
        guard case .object(let members) = json else { throw CancellationError() }
        #expect(members.map(\.key) == ["z", "a", "m"])
        #expect(json["m"] == .object([.init("b", .null), .init("a", true)]))
        #expect(json["missing"] == nil)
    }

    @Test func escapesBecomeTheirCharacters() throws {
        let json = try JSON(parsing: #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00x""#)

        #expect(json == "\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{1F600}x")
    }

    @Test(arguments: [
        ("[1,]", 3), ("", 0), ("  x", 2), ("{\"a\":1,\"a\":2}", 7), ("[\"ab", 1), ("[01]", 1), ("\"\\q\"", 1),
        ("\"a\\ud800\"", 2), ("[1] 2", 4), ("[tru]", 1), ("[\"a\tb\"]", 3), ("1.", 2),
    ])
    func errorsHaveTheByteOffset(_ text: String, _ offset: Int) {
        let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text) }

        #expect(error?.offset == offset)
        #expect(error?.message.isEmpty == false)
    }

    @Test func invalidUTF8IsReportedAtItsOffset() {
        let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: [0x22, 0x61, 0xFF, 0x22]) }

        #expect(error?.offset == 2)
    }

    @Test func depthIsBounded() throws {
        let limit = JSON.maximumDepth
        func arrays(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        func objects(_ depth: Int) -> String {
            String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
        }

        _ = try JSON(parsing: arrays(limit))
        _ = try JSON(parsing: objects(limit))
        _ = try JSON(parsing: "[" + Array(repeating: arrays(limit - 1), count: 3).joined(separator: ",") + "]")
        #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: arrays(limit + 1)) }
        #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: objects(limit + 1)) }
        #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: String(repeating: "[", count: 100_000)) }
    }

    @Test func sizeIsBounded() throws {
        let longest = "\"" + String(repeating: "a", count: JSON.maximumSize - 2) + "\""

        _ = try JSON(parsing: longest)
        #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: longest + " ") }
    }

    @Test func manyKeysAreReadInLinearTime() throws {
        let count = 60_000
        let text = "{" + (0..<count).map { "\"key\($0)\":0" }.joined(separator: ",") + "}"

        guard case .object(let members) = try JSON(parsing: text) else { throw CancellationError() }

        #expect(members.count == count)
    }

    @Test func equivalenceIgnoresOnlyTheOrderOfMembers() throws {
        let json: JSON = ["a": 1, "b": [1, 2], "c": ["x": 1, "y": 2]]

        #expect(json.isEquivalent(to: ["c": ["y": 2, "x": 1], "b": [1, 2], "a": 1]))
        #expect(json != ["c": ["y": 2, "x": 1], "b": [1, 2], "a": 1])
        #expect(!json.isEquivalent(to: ["a": 1, "b": [2, 1], "c": ["x": 1, "y": 2]]))
        #expect(!json.isEquivalent(to: ["a": 1, "b": [1, 2]]))
        #expect(!json.isEquivalent(to: ["a": 1, "b": [1, 2], "d": ["x": 1, "y": 2]]))
        #expect(!json.isEquivalent(to: ["a": 1.0, "b": [1, 2], "c": ["x": 1, "y": 2]]))
    }
}
