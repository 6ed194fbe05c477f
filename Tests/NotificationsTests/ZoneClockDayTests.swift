import FoundationEssentials
import Notifications
import Testing

@Suite struct ZoneClockDayTests {
    private static func text(_ moment: Int) -> String {
        Date(timeIntervalSince1970: Double(moment)).formatted(.iso8601)
    }

    /// Two midnights, no midnight, clocks set back to the day before, an offset of 45 minutes, and an omitted day.
    @Test(arguments: [
        ("America/Havana", 2026, 11, 1, "2026-11-01T04:00:00Z"),
        ("America/Havana", 2026, 11, 2, "2026-11-02T05:00:00Z"),
        ("America/Havana", 2026, 3, 8, "2026-03-08T05:00:00Z"), ("Asia/Beirut", 2026, 3, 29, "2026-03-28T22:00:00Z"),
        ("Asia/Beirut", 2026, 10, 25, "2026-10-24T22:00:00Z"), ("Africa/Cairo", 2026, 4, 24, "2026-04-23T22:00:00Z"),
        ("Africa/Cairo", 2026, 10, 30, "2026-10-29T22:00:00Z"),
        ("Atlantic/Azores", 2026, 10, 25, "2026-10-25T00:00:00Z"),
        ("America/Asuncion", 2023, 10, 1, "2023-10-01T04:00:00Z"),
        ("Asia/Kathmandu", 2026, 1, 1, "2025-12-31T18:15:00Z"),
        ("Australia/Lord_Howe", 2026, 4, 5, "2026-04-04T13:00:00Z"),
        ("Pacific/Apia", 2011, 12, 29, "2011-12-29T10:00:00Z"), ("Pacific/Apia", 2011, 12, 30, "2011-12-30T10:00:00Z"),
        ("Pacific/Apia", 2011, 12, 31, "2011-12-30T10:00:00Z"), ("UTC", 2026, 11, 1, "2026-11-01T00:00:00Z"),
    ])
    func dayBeginsWithTheFirstMomentOfItsDate(_ zone: String, _ y: Int, _ m: Int, _ d: Int, _ start: String) throws {
        let clock = try #require(ZoneClock(named: zone))
        let day = CivilDay(year: y, month: m, day: d)
        let moment = clock.start(of: day)
        #expect(Self.text(moment) == start)
        #expect(clock.day(of: moment - 1).number < day.number && clock.day(of: moment).number >= day.number)
    }

    @Test func offsetsOfAYearBeginAtItsChanges() throws {
        let clock = try #require(ZoneClock(named: "Australia/Lord_Howe"))
        let offsets = clock.offsets(from: 1_767_225_600, to: 1_798_761_600)
        #expect(offsets.map(\.offset) == [39_600, 37_800, 39_600])
        #expect(offsets.dropFirst().map { Self.text($0.start) } == ["2026-04-04T15:00:00Z", "2026-10-03T15:30:00Z"])
    }
}
