import EventLoop
import Testing

@testable import APNS

@Suite struct AnswerTallyTests {
    private let start = MonotonicTime.now()

    private func result(_ status: UInt16, _ reason: APNSReason? = nil) -> PushResult {
        var result = PushResult()
        (result.state, result.status) = (.answered, status)
        if let reason { result.reason = ReasonTable.number(of: reason) }
        return result
    }

    @Test func answersAreCountedByStatusAndReasonUntilTheyAreTaken() {
        var tally = AnswerTally()
        for tag in 0..<3 { tally.answered(tag, result(200)) }
        tally.answered(3, result(410, .unregistered))
        tally.answered(4, result(410, .unregistered))
        tally.answered(5, result(410, .expiredToken))
        let taken = tally.take()
        #expect(taken.accepted == 3 && taken.others.values.sorted() == [1, 2])
        #expect(tally.isEmpty)
    }

    @Test func onePushAtATimeIsMeasured() {
        var tally = AnswerTally()
        for tag in 0..<3 { tally.submitted(tag, at: start) }
        for tag in [2, 1, 0] { tally.answered(tag, result(200)) }
        #expect(tally.take().roundTrips.count == 1)
        tally.answered(1, result(200))
        #expect(tally.take().roundTrips.isEmpty)
    }

    @Test func latePushIsMeasuredUnderItsNewTag() {
        var tally = AnswerTally()
        tally.submitted(7, at: start)
        tally.moved(7, to: -1)
        tally.answered(7, result(200))
        #expect(tally.roundTrips.isEmpty)
        tally.answered(-1, result(200))
        #expect(tally.roundTrips.count == 1)
    }

    @Test func pushThatIsNeverAnsweredDoesNotEndTheMeasuring() {
        var tally = AnswerTally()
        tally.submitted(1, at: start)
        tally.submitted(2, at: start + .seconds(1))
        tally.submitted(3, at: start + AnswerTally.patience)
        tally.answered(2, result(200))
        #expect(tally.roundTrips.isEmpty)
        tally.answered(3, result(200))
        #expect(tally.roundTrips.count == 1)
    }
}
