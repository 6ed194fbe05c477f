import EventLoop
import Store
import Testing

@testable import Dispatcher

/// Apple's last answers, and the flushes that store them.
struct WaitingAnswersTests {
    private static let now = MonotonicTime.now()

    @Test func answerDuringAFlushIsForTheNextOne() {
        var answers = WaitingAnswers()
        answers.answered("TooManyRequests", .device, at: Self.now)
        #expect(answers.note(at: Self.now) == .set("TooManyRequests", age: .zero))
        // The flush is under way.
        answers.answered("InternalServerError", .apple, at: Self.now + .seconds(1))
        #expect(answers.note(at: Self.now + .seconds(3)) == .set("InternalServerError", age: .seconds(2)))
        #expect(answers.note(at: Self.now + .seconds(4)) == .keep)
    }

    @Test func flushWithAnUnknownResultIsRepeated() {
        var answers = WaitingAnswers()
        answers.answered("TooManyRequests", .device, at: Self.now)
        let note = answers.note(at: Self.now)
        answers.interrupted(note)
        #expect(answers.note(at: Self.now) == note)
        answers.interrupted(.keep)
        #expect(answers.note(at: Self.now) == .keep)
    }

    @Test func rowIsClearedOnlyIfItMayHaveAnAnswer() {
        var unanswered = WaitingAnswers()
        unanswered.ended()
        #expect(unanswered.note(at: Self.now) == .keep)

        var claimedAgain = WaitingAnswers(mayBeInRow: true)
        claimedAgain.ended()
        #expect(claimedAgain.note(at: Self.now) == .clear)
        #expect(claimedAgain.note(at: Self.now) == .keep)
    }
}
