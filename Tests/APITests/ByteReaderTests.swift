import Foundation
import JSON
import Notifications
import TestSupport
import Testing

@testable import API

struct ByteReaderTests {
    /// Whether the reader takes the bytes as JSON.
    private func accepts(_ bytes: [UInt8]) -> Bool {
        do throws(ByteReader.Malformed) {
            _ = try ByteReader.read(bytes) { reader throws(ByteReader.Malformed) in try reader.skip() }
            return true
        } catch {
            return false
        }
    }

    private func isJSON(_ bytes: [UInt8]) -> Bool { (try? JSON(parsing: bytes)) != nil }

    @Test(arguments: [
        "{}", "[]", "null", "true", "0", "-0", "1e5", "1E-5", "0.5", "\"\"", " [1 , 2 ] ", #"{"a":{"b":[1,"c"]}}"#,
        #""\u00e9\ud83d\ude00\n\/""#, "\"é\u{1F600}\"", #"{"a":1,"\u0062":2}"#,
    ])
    func validJSONIsAccepted(text: String) {
        #expect(isJSON(Array(text.utf8)))
        #expect(accepts(Array(text.utf8)))
    }

    @Test(arguments: [
        "", " ", "{", "[", "\"", "{]", "[}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "[1,]", "01", "-", "1.", ".5", "1e",
        "+1",
        "nul", "True", "NaN", "{a:1}", "'a'", "1 2", "{}x", #""\x""#, #""\ud800""#, #""\udc00\ud800""#, #""\u12""#,
        "\"\n\"", #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"é":1,"\#u{65}\#u{301}":2}"#, "\u{FEFF}{}", "\"\\",
        "\"\\u",
    ])
    func invalidJSONIsRefused(text: String) {
        #expect(!isJSON(Array(text.utf8)))
        #expect(!accepts(Array(text.utf8)))
    }

    @Test func bytesThatAreNoUTF8AreRefused() {
        #expect(!accepts([0x22, 0xC3, 0x22]))
        #expect(!accepts([0x22, 0xED, 0xA0, 0x80, 0x22]))
    }

    @Test func depthIsTakenAtItsLimitAndNotOneBeyond() {
        let limit = JSON.maximumDepth
        for depth in [limit, limit + 1] {
            let bytes = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
            #expect(accepts(bytes) == (depth == limit))
            #expect(isJSON(bytes) == (depth == limit))
        }
    }

    /// The reader and the house's parser take the same texts, however they are damaged; and what both take,
    /// Foundation's takes too.
    @Test(arguments: 0..<8)
    func readerAndParserAgreeOnDamagedBodies(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let decoder = JSONDecoder()
        for _ in 0..<4_000 {
            let bytes = Mutation.damage(Mutation.body(&random), &random)
            let isTaken = accepts(bytes)
            #expect(isTaken == isJSON(bytes), "\(String(decoding: bytes, as: UTF8.self))")
            if isTaken, !bytes.contains(where: { $0 == 0x65 || $0 == 0x45 }) {
                #expect(throws: Never.self) { try decoder.decode(JSON.self, from: Data(bytes)) }
            }
        }
    }
}

enum Mutation {
    private static let texts = [
        #""Europe/Berlin""#, #""de_DE""#, #""\u00e9""#, #""\u0000""#, #""""#, #""\"\\""#, "\"ü\u{1F600}\"",
        #""denied""#,
        #""production""#, #""00fF""#, #""0""#, "null", "true", "12", "-0.5e3", "1e400", "[]", "{}",
        #"{"a":[1,{"b":null}]}"#,
        #"{"n":1e999,"s":"\u0000"}"#, #""17.1""#, #"["vip","a"]"#, #"["vip",1,""]"#, #"["Offers"]"#,
        #"{"sound":"disabled","alert":"not_supported"}"#, #"{"sound":"maybe"}"#, #"{"$a":1}"#, #""widget""#,
        #""live_activity_update""#,
    ]
    private static let keys = [
        "token", "environment", "authorization_status", "user_id", "locale", "time_zone", "os_version", "app_version",
        "model",
        "attributes", "other", "", "\\u0074oken", "\\n", "settings", "tags", "opt_outs", "kind", "activity",
        "installation", "nickname", "is_test",
    ]

    /// A body like a registration's, with some nonsense.
    static func body(_ random: inout some RandomNumberGenerator) -> [UInt8] {
        var text = "{"
        for index in 0..<Int.random(in: 0...6, using: &random) {
            if index > 0 { text += "," }
            text += "\"\(keys.randomElement(using: &random) ?? "")\":\(texts.randomElement(using: &random) ?? "1")"
            if Bool.random(using: &random) { text += " " }
        }
        return Array((text + "}").utf8)
    }

    /// Changes, drops, doubles or inserts up to two bytes, or nothing.
    static func damage(_ bytes: [UInt8], _ random: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = bytes
        let interesting = Array("{}[]\",:\\u0eE.+-n \t\n".utf8) + [0x00, 0x1F, 0x80, 0xC3, 0xFF]
        for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(bytes[place], at: place)
            case 2: bytes[place] = interesting.randomElement(using: &random) ?? 0
            default: bytes.insert(interesting.randomElement(using: &random) ?? 0, at: place)
            }
        }
        return bytes
    }
}
