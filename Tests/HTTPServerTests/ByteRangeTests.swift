import Testing

@testable import HTTPServer

struct ByteRangeTests {
    @Test(
        arguments: [
            ("bytes=0-9", .satisfiable(0..<10)), ("bytes=90-", .satisfiable(90..<100)),
            ("bytes=-7", .satisfiable(93..<100)),
            ("bytes=0-99999999999999999999999", .satisfiable(0..<100)),
            ("bytes=99999999999999999999999-", .unsatisfiable),
            ("bytes=-99999999999999999999999", .satisfiable(0..<100)), ("bytes=100-", .unsatisfiable),
            ("bytes=9223372036854775807-9223372036854775807", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=5-4", .ignored), ("bytes=-", .ignored), ("bytes=a-b", .ignored), ("items=0-1", .ignored),
        ] as [(String, ByteRange)])
    func rangesOfAHundredBytesAreParsed(field: String, expected: ByteRange) {
        #expect(ByteRange(field, size: 100) == expected)
    }

    @Test(arguments: ["bytes=0-0", "bytes=0-", "bytes=-1"])
    func emptyFileHasNoSatisfiableRange(field: String) {
        #expect(ByteRange(field, size: 0) == .unsatisfiable)
    }
}
