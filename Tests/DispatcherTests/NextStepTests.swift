import Campaigns
import EventLoop
import Testing

@testable import APNS
@testable import Dispatcher

/// What a batch does next.
@Suite struct NextStepTests {
    private static func next(
        _ batch: RecordedBatch, isHeld: Bool = true, ending: BatchEnding? = nil, hasDeclared: Bool = false
    ) -> NextStep {
        NextStep(batch.record, isHeld: isHeld, ending: ending, hasDeclared: hasDeclared)
    }

    @Test func aBatchThatMayBeLostIsGivenUpWhateverElseIsToDo() {
        #expect(Self.next(RecordedBatch(1), isHeld: false, ending: .done, hasDeclared: true) == .giveUp)
    }

    @Test func aWindowThatIsDeclaredIsNotSentWhenTheBatchEnds() {
        #expect(Self.next(RecordedBatch(1), ending: .released, hasDeclared: true) == .end(.released))
    }

    @Test func aWindowIsOnTheWireWhileTheNextIsDeclared() throws {
        var batch = RecordedBatch(2)
        #expect(Self.next(batch) == .declare)
        _ = try batch.declare(limit: 1)
        #expect(Self.next(batch, hasDeclared: true) == .declare)
        _ = try batch.declare(limit: 1)
        #expect(Self.next(batch, hasDeclared: true) == .send)
    }

    @Test func itEndsWhenNobodyIsLeft() throws {
        var batch = RecordedBatch(2)
        try batch.send([RecordedBatch.result(.answered), RecordedBatch.answer(.badPath)])
        #expect(Self.next(batch) == .end(.done))
        #expect(Self.next(RecordedBatch(0)) == .end(.done))
    }

    @Test(arguments: [RecordedBatch.result(.late), RecordedBatch.answer(.tooManyRequests)])
    func itRestsForLateAndDeferredRecipients(_ result: PushResult) throws {
        var batch = RecordedBatch(2)
        try batch.send([RecordedBatch.result(.answered), result])
        #expect(Self.next(batch) == .rest)
        #expect(Self.next(batch, hasDeclared: true) == .send)
    }

    /// Under "resend" the late answer of a push makes its recipient unsent.
    @Test func aLateUnknownPushEndsTheRestAndIsSentAgain() throws {
        var batch = RecordedBatch(1, policy: .resend)
        try batch.send([RecordedBatch.result(.late)])
        var rest = BatchRest()
        #expect(rest.next(batch.record, delays: [.seconds(1)], at: RecordedBatch.now) == .wait(BatchRest.longestWait))
        let late = (id: LatePushes.ID(window: 1, index: 0), result: RecordedBatch.result(.deadlinePassed))
        _ = batch.record.record(late: [late], [:], at: RecordedBatch.now)
        #expect(rest.next(batch.record, delays: [.seconds(1)], at: RecordedBatch.now) == .over)
        #expect(Self.next(batch) == .declare && batch.record.progress.unsent == [0])
    }

    @Test func deferredRecipientsWaitLongerEachTime() throws {
        var batch = RecordedBatch(1)
        let delays = [Duration.milliseconds(300), .seconds(4)]
        for delay in [delays[0], delays[1], delays[1]] {
            try batch.send([RecordedBatch.answer(.internalServerError)])
            var rest = BatchRest()
            let began = RecordedBatch.now
            #expect(rest.next(batch.record, delays: delays, at: began) == .wait(min(delay, BatchRest.longestWait)))
            #expect(
                rest.next(batch.record, delays: delays, at: began + delay - .milliseconds(1)) == .wait(.milliseconds(1))
            )
            #expect(rest.next(batch.record, delays: delays, at: began + delay) == .retry)
            batch.record.progress.endDelay()
            #expect(Self.next(batch) == .declare)
        }
    }
}
