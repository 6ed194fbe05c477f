import JSON
import Postgres
import Testing

@testable import API

@Suite struct RFC3339Tests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00.000Z"),
        ("2026-11-21T10:00:00.000Z", 1_795_255_200_000_000, "2026-11-21T10:00:00.000Z"),
        ("2024-02-29T23:59:59.123456789+00:00", 1_709_251_199_123_456, "2024-02-29T23:59:59.123Z"),
        ("2000-03-01t01:30:00.5+02:00", 951_867_000_500_000, "2000-02-29T23:30:00.500Z"),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000_000, "2017-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59-23:59", 253_402_387_139_000_000, "10000-01-01T23:58:59.000Z"),
    ])
    func timeIsReadAndWritten(_ text: String, _ microseconds: Int64, _ written: String) throws {
        let time = try #require(Timestamp(rfc3339: text))

        #expect(time.microseconds == microseconds)
        #expect(time.rfc3339 == written)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T10:00:00", "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+2:00",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00Zx", "1969-12-31T23:59:59Z", "+026-01-01T00:00:00Z",
    ])
    func otherTextIsNoTime(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func everyDayOfFourCenturiesComesBack() {
        for day in stride(from: Int64(0), to: 146_097, by: 1) {
            let time = Timestamp(microseconds: day * 86_400_000_000)
            #expect(Timestamp(rfc3339: time.rfc3339) == time)
        }
    }
}
