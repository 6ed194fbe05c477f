import Postgres
import Testing

@testable import Store

struct EventClockTests {
    /// The push was sent at 10,000 s, and the request was received at 20,000 s.
    private static let start = Timestamp(microseconds: 10_000_000_000)
    private static let receipt = Timestamp(microseconds: 20_000_000_000)

    private func moment(
        _ time: EventTime, sentAt: Int64? = nil, receivedAt: Timestamp = receipt
    ) -> Result<EventClock.Moment, EventClock.Refusal> {
        let sentAt = sentAt.map { Timestamp(microseconds: $0 * 1_000_000) }
        return EventClock(receivedAt: receivedAt, sentAt: sentAt).moment(of: time, start: Self.start)
    }

    private func device(_ seconds: Int64) -> EventTime { .device(Timestamp(microseconds: seconds * 1_000_000)) }

    private func stored(_ seconds: Int64, isCorrected: Bool) -> Result<EventClock.Moment, EventClock.Refusal> {
        .success(
            EventClock.Moment(happenedAt: Timestamp(microseconds: seconds * 1_000_000), isCorrected: isCorrected))
    }

    /// The database's clock was ahead when the push was sent.
    @Test func eventBeforeAStartInTheFutureIsStored() {
        let early = Timestamp(microseconds: 5_000_000_000)
        #expect(moment(device(5_000), sentAt: 5_000, receivedAt: early) == stored(5_000, isCorrected: false))
        #expect(moment(device(4_990), sentAt: 5_000, receivedAt: early) == stored(5_000, isCorrected: true))
    }

    @Test func timeOfReceiptCountsWithoutAReadableTime() {
        #expect(moment(.receipt) == .success(.receipt))
        #expect(moment(.unreadable) == .success(.correctedToReceipt))
    }

    @Test(arguments: [10_000, 15_000, 20_000] as [Int64])
    func possibleTimeOfTheDeviceIsStored(seconds: Int64) {
        #expect(moment(device(seconds)) == stored(seconds, isCorrected: false))
        #expect(moment(device(seconds), sentAt: 20_000 - 60) == stored(seconds, isCorrected: false))
    }

    @Test func clockThatIsFarOffIsCorrectedByItsOffset() {
        #expect(moment(device(5_000), sentAt: 10_000) == stored(15_000, isCorrected: true))
        #expect(moment(device(1_015_000), sentAt: 1_020_000) == stored(15_000, isCorrected: true))
    }

    @Test func impossibleTimeOfAnUnknownClockBecomesTheTimeOfReceipt() {
        #expect(moment(device(9_000)) == .success(.correctedToReceipt))
        #expect(moment(device(20_061)) == .success(.correctedToReceipt))
    }

    @Test func smallDifferencesAreMovedToTheLimit() {
        #expect(moment(device(9_940)) == stored(10_000, isCorrected: true))
        #expect(moment(device(20_060)) == .success(.receipt))
        #expect(moment(device(9_940), sentAt: 20_000) == stored(10_000, isCorrected: true))
    }

    @Test func eventBeforeThePushIsRefusedIfTheClockIsKnown() {
        #expect(moment(device(9_939), sentAt: 20_000) == .failure(.beforeStart))
        #expect(moment(device(4_000), sentAt: 15_000) == .failure(.beforeStart))
    }

    @Test func eventIsTakenUntilTheMaximumAgeAndNoLonger() {
        let last = Self.start + EventClock.maximumAge
        #expect(moment(.receipt, receivedAt: last) == .success(.receipt))
        for time in [EventTime.receipt, .unreadable, device(10_000)] {
            #expect(moment(time, receivedAt: last + .microseconds(1)) == .failure(.tooLate))
        }
    }

    @Test func eventOfADeletedPushCanBeAsOldAsTheLimit() {
        let clock = EventClock(receivedAt: Self.receipt)
        let oldest = Self.receipt - EventClock.maximumAge
        let isOld = clock.moment(of: .device(oldest), start: nil)
        #expect(isOld == .success(EventClock.Moment(happenedAt: oldest, isCorrected: false)))
        #expect(clock.moment(of: .device(oldest - .seconds(61)), start: nil) == .success(.correctedToReceipt))
    }

    @Test func timesAtTheEndOfTheCalendarDoNotOverflow() {
        let times = [-62_135_596_800, 253_402_300_799].map { Timestamp(microseconds: $0 * 1_000_000) }
        for sentAt in times {
            for time in times {
                let clock = EventClock(receivedAt: Self.receipt, sentAt: sentAt)
                let moment = clock.moment(of: .device(time), start: Self.start)
                #expect(
                    moment
                        == (time == sentAt
                            ? .success(EventClock.Moment(happenedAt: Self.receipt, isCorrected: true))
                            : time < sentAt ? .failure(.beforeStart) : .success(.correctedToReceipt)))
            }
        }
    }
}
