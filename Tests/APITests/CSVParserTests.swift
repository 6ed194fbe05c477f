import JSON
import TestSupport
import Testing

@testable import API

/// Bytes cut in different ways.
enum Cuts {
    /// Whole, byte by byte, and at random places.
    static func all(_ bytes: [UInt8], _ random: inout some RandomNumberGenerator) -> [[[UInt8]]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...max(1, min(rest.count, 40)), using: &random)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return [[bytes], bytes.map { [$0] }, pieces]
    }
}

struct CSVParserTests {
    private struct Read: Equatable {
        let line: Int
        let fields: [String]
        let fault: CSVParser.Fault?

        init(_ line: Int, _ fields: [String], _ fault: CSVParser.Fault? = nil) {
            self.line = line
            self.fields = fields
            self.fault = fault
        }
    }

    private static func parse(_ pieces: [[UInt8]]) -> [Read] {
        var parser = CSVParser()
        var records: [CSVParser.Record] = []
        for piece in pieces { parser.feed(piece, into: &records) }
        parser.finish(into: &records)
        return records.map { record in
            Read(record.line, record.fields.map { String(decoding: $0, as: UTF8.self) }, record.fault)
        }
    }

    private static func parse(_ text: String) -> [Read] { parse([Array(text.utf8)]) }

    @Test func recordsAreWhatRFC4180Says() {
        #expect(Self.parse("") == [])
        #expect(Self.parse("a,b") == [Read(1, ["a", "b"])])
        #expect(Self.parse("a,b\n") == [Read(1, ["a", "b"])])
        #expect(Self.parse("a,b\r\nc,\r\n") == [Read(1, ["a", "b"]), Read(2, ["c", ""])])
        #expect(Self.parse("\"a,b\",\"c\"\"d\",\"\"\n") == [Read(1, ["a,b", "c\"d", ""])])
        #expect(Self.parse(" a , b \n") == [Read(1, [" a ", " b "])])
        #expect(Self.parse("\"\"\n") == [Read(1, [""])])
        #expect(Self.parse("ä,\u{1F600}\n") == [Read(1, ["ä", "\u{1F600}"])])
    }

    @Test func lineBreaksInQuotesBelongToTheFieldAndAreCounted() {
        #expect(
            Self.parse("\"a\nb\r\nc\",x\ny,z\n") == [Read(1, ["a\nb\r\nc", "x"]), Read(4, ["y", "z"])])
    }

    @Test func blankLinesAreLeftOutAndCounted() {
        #expect(Self.parse("\n\r\na\n\n\nb") == [Read(3, ["a"]), Read(6, ["b"])])
        #expect(Self.parse("a,b\n  \n,\nc,d\n") == [Read(1, ["a", "b"]), Read(4, ["c", "d"])])
        // In quotes, an empty field is a value.
        #expect(Self.parse("\"\",\n") == [Read(1, ["", ""])])
    }

    @Test func linesEndWithAnyLineEnd() {
        #expect(Self.parse("a\rb\r\nc\nd") == [Read(1, ["a"]), Read(2, ["b"]), Read(3, ["c"]), Read(4, ["d"])])
        #expect(Self.parse("a\r\rb\r") == [Read(1, ["a"]), Read(3, ["b"])])
        #expect(Self.parse("\"a\rb\"\rc") == [Read(1, ["a\rb"]), Read(2, ["c"])])
    }

    @Test func quoteInsideAFieldIsALetter() {
        #expect(Self.parse("{\"a\":1}\n") == [Read(1, ["{\"a\":1}"])])
    }

    @Test func spacesAroundAQuotedFieldDoNotBelongToIt() {
        #expect(Self.parse("a, \"b, c\" ,  \"\"\n") == [Read(1, ["a", "b, c", ""])])
        #expect(Self.parse(" \"a\"\n \"b\" \n") == [Read(1, ["a"]), Read(2, ["b"])])
        #expect(Self.parse("\"a\" b,c\n") == [Read(1, [], .textAfterQuote)])
        #expect(Self.parse("\"a\" \"b\"\n") == [Read(1, [], .textAfterQuote)])
    }

    @Test func faultsSpoilTheirRecordAndNoOther() {
        #expect(Self.parse("\"a\"b,c\nd\n") == [Read(1, [], .textAfterQuote), Read(2, ["d"])])
        #expect(Self.parse("a\n\"b,c\nd\n") == [Read(1, ["a"]), Read(2, [], .openQuote), Read(3, ["d"])])
        let long = String(repeating: "a", count: CSVParser.maximumRecordSize)
        #expect(Self.parse("\(long)\nb\n") == [Read(1, [long]), Read(2, ["b"])])
        #expect(Self.parse("\(long)a\nb\n") == [Read(1, [], .tooLong), Read(2, ["b"])])
        let commas = "a" + String(repeating: ",", count: CSVParser.maximumFields - 1)
        #expect(Self.parse("\(commas)\nb\n").map(\.fault) == [nil, nil])
        #expect(Self.parse("\(commas),\nb\n").map(\.fault) == [.tooManyFields, nil])
    }

    /// Lines of two fields, with these lines in place of others.
    private static func lines(_ count: Int, _ other: [Int: String], ending: String = "\n") -> String {
        (1...count).map { other[$0] ?? "i\($0),x" }.joined(separator: ending) + ending
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func strayQuotesCostTheirLinesOnly(_ ending: String) {
        for (first, second) in [("i3,\"Ada", "i9,\"Bob"), ("i3,\"Ada", "i9,Bob\""), ("\"i3,Ada", "i9,Bob\" x")] {
            let read = Self.parse(Self.lines(12, [3: first, 9: second], ending: ending))
            #expect(read.map(\.line) == Array(1...12))
            #expect(read.filter { $0.fault != nil }.map(\.line).first == 3)
            #expect(read.count { $0.fields == ["i\($0.line)", "x"] } == 10)
        }
        let open = Self.parse(Self.lines(300, [7: "i7,\"Ada"], ending: ending))
        #expect(open.count == 300 && open.filter { $0.fault != nil }.map(\.line) == [7])
    }

    @Test func soundQuotesAfterAStrayOneAreRead() {
        let read = Self.parse("a,b\n1,\"x\n2,y\n3,\"p\nq\"\n4,z\n")
        #expect(
            read == [
                Read(1, ["a", "b"]), Read(2, [], .openQuote), Read(3, ["2", "y"]), Read(4, ["3", "p\nq"]),
                Read(6, ["4", "z"]),
            ])
        // A value of several lines stays one.
        let text = "a,b\n1,\"Street 1\nFlat 2, Bern\nCH\"\n"
        #expect(Self.parse(text) == [Read(1, ["a", "b"]), Read(2, ["1", "Street 1\nFlat 2, Bern\nCH"])])
    }

    @Test func controlCharactersAtTheEndOfTheFileAreNoRecord() {
        for end in ["\u{1A}", "\0", "\0\0"] { #expect(Self.parse("a,b\n" + end) == [Read(1, ["a", "b"])]) }
    }

    /// Records that a writer wrote come back, whichever way the file is cut.
    @Test(arguments: 0..<6)
    func writtenRecordsComeBackHoweverTheyAreCut(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = Array("ab,\"\n\r ;é\u{1F600}\u{FEFF}{}\t")
        for _ in 0..<120 {
            let ending = Bool.random(using: &random) ? "\n" : "\r\n"
            var text = ""
            var expected: [Read] = []
            var line = 1
            // Of another width, a record of several lines would be taken for a stray quote.
            let width = Int.random(in: 1...4, using: &random)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let fields = (0..<width).map { _ in
                    String(
                        (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
                            letters.randomElement(using: &random)
                        })
                }
                // Always quoted, and so never an empty line.
                let written = fields.map {
                    "\""
                        + $0.split(separator: "\"", omittingEmptySubsequences: false)
                        .joined(separator: "\"\"") + "\""
                }
                text += written.joined(separator: ",") + ending
                expected.append(Read(line, fields))
                line += 1 + fields.reduce(0) { $0 + $1.utf8.count { $0 == 0x0A } }
            }
            for pieces in Cuts.all(Array(text.utf8), &random) { #expect(Self.parse(pieces) == expected) }
        }
    }

    /// Any bytes: all cuts give the same records, and none is lost between two good ones.
    @Test(arguments: 0..<6)
    func anyBytesGiveTheSameRecordsHoweverTheyAreCut(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 50)
        let interesting = Array("ab,,\"\"\"\n\n\r{".utf8) + [0xEF, 0xBB, 0xBF, 0x00, 0xFF]
        for _ in 0..<400 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                interesting.randomElement(using: &random) ?? 0
            }
            let cuts = Cuts.all(bytes, &random).map { Self.parse($0) }
            #expect(cuts[0] == cuts[1] && cuts[0] == cuts[2])
            #expect(cuts[0].map(\.line) == cuts[0].map(\.line).sorted())
        }
    }
}
