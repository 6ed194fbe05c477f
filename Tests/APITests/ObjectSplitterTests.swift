import TestSupport
import Testing

@testable import API

struct ObjectSplitterTests {
    private static func split(_ pieces: [[UInt8]]) -> [ObjectSplitter.Record] {
        var splitter = ObjectSplitter()
        var records: [ObjectSplitter.Record] = []
        for piece in pieces { splitter.feed(piece, into: &records) }
        splitter.finish(into: &records)
        return records
    }

    /// "line text" of each record.
    private static func split(_ text: String) -> [String] {
        split([Array(text.utf8)]).map { "\($0.line) \(String(decoding: $0.bytes ?? [], as: UTF8.self))" }
    }

    @Test func linesAreNumberedAndBlankOnesLeftOut() {
        #expect(
            Self.split("{}\r\n\n \t\r\n3\nx\r{\"a\":\"}\\\"\"}\n\u{1A}\0")
                == ["1 {}", "4 3", "5 x", "6 {\"a\":\"}\\\"\"}"])
    }

    @Test func objectsMayGoOverLinesAndBeElementsOfAList() {
        #expect(
            Self.split("[\n  {\n    \"a\": [\n      {}\n    ]\n  },\n  {\"b\": 1}\n]\n")
                == ["2 {\n\"a\": [\n{}\n]\n}", "7 {\"b\": 1}"])
        #expect(Self.split("{\n\"a\":1\n}\n{\n\"b\":2\n}") == ["1 {\n\"a\":1\n}", "4 {\n\"b\":2\n}"])
        #expect(Self.split("\u{1E}{\"a\":1}\n\u{1E}{\"b\":2}\n") == ["1 {\"a\":1}", "2 {\"b\":2}"])
        #expect(Self.split("[]") == [])
    }

    /// A list without line ends would have all its failures in line 1.
    @Test func objectsOnOneLineCountAsLines() {
        #expect(
            Self.split("[{\"a\":1}, {\"b\":2},{\"c\":3}]\n{\"d\":4}{\"e\":5}")
                == ["1 {\"a\":1}", "2 {\"b\":2}", "3 {\"c\":3}", "4 {\"d\":4}", "5 {\"e\":5}"])
    }

    @Test func whatFollowsAnObjectOnItsLineIsNotCutOff() {
        #expect(Self.split("{\"a\":1} // x\n{\"b\":2},\n") == ["1 {\"a\":1}// x", "2 {\"b\":2}"])
        #expect(Self.split("{\"a\":1}}\n") == ["1 {\"a\":1}}"])
    }

    @Test(arguments: [
        // A string, an object and a list that don't end.
        ("{\"a\":\"x\n{\"b\":1}\n{\"c\":2}\n", ["1 {\"a\":\"x", "2 {\"b\":1}", "3 {\"c\":2}"]),
        ("{\"a\":1\n{\"b\":1}\n{\"c\":2}\n", ["1 {\"a\":1", "2 {\"b\":1}", "3 {\"c\":2}"]),
        ("{\n{\"b\":1}\n", ["1 {", "2 {\"b\":1}"]),
        // The second line could be the element of a list: it is read when the third shows that there is none.
        ("{\"a\":[\n{\"b\":1}\n{\"c\":2}\n", ["1 {\"a\":[\n{\"b\":1}", "2 {\"b\":1}", "3 {\"c\":2}"]),
        ("{\"a\":[\n{\"b\":1}", ["1 {\"a\":[\n{\"b\":1}", "2 {\"b\":1}"]),
        ("{\n\"a\":\"x\ny\"\n}\n{\"b\":1}", ["1 {\n\"a\":\"x", "5 {\"b\":1}"]),
    ])
    func damagedObjectDoesNotCostTheNext(_ text: String, _ records: [String]) {
        #expect(Self.split(text) == records)
    }

    @Test func objectIsTakenAtItsLimitAndDroppedBeyond() {
        func object(_ size: Int) -> [UInt8] {
            Array("{\"a\":\"".utf8) + [UInt8](repeating: 0x61, count: size - 8) + Array("\"}".utf8)
        }
        let limit = ObjectSplitter.maximumSize
        let records = Self.split([object(limit), [0x0A], object(limit + 1), Array(",{}\n".utf8)])
        #expect(records.map(\.line) == [1, 2, 3])
        #expect(records.map(\.bytes) == [object(limit), nil, Array("{}".utf8)])
        // The lines of an object are not counted, however many it has.
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 3 * limit)
        #expect(Self.split([Array("{\"a\":".utf8), deep, Array("\n{\"b\":1}\n".utf8)]).map(\.line) == [1, 2])
    }

    @Test(arguments: 0..<6)
    func anyBytesGiveTheSameObjectsHoweverTheyAreCut(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let interesting = Array("{}{}[],:\"\"\\a \n\n\r\t".utf8) + [0xEF, 0x1E, 0x00]
        for _ in 0..<400 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                interesting.randomElement(using: &random) ?? 0
            }
            let cuts = Cuts.all(bytes, &random).map { Self.split($0) }
            #expect(cuts[0] == cuts[1] && cuts[0] == cuts[2])
            #expect(cuts[0].allSatisfy { $0.line <= $0.lastLine })
        }
    }
}
