import Campaigns
import EventLoop
import Store
import Testing

@testable import Dispatcher

struct WebhookRetryTests {
    private typealias Next = WebhookQueueStore.Attempt.Next

    private func next(_ answer: WebhookAnswer, attempt: Int = 1, isTest: Bool = false, random: Double = 0) -> Next {
        WebhookRetry.next(after: answer, attempt: attempt, isTest: isTest, random: random)
    }

    @Test(arguments: [200, 204, 299]) func successIsDelivered(_ status: Int) {
        #expect(next(.status(status)) == .delivered)
        #expect(WebhookRetry.error(.status(status)) == nil)
    }

    @Test func goneEndsTheWebhook() {
        #expect(next(.status(410)) == .gone)
    }

    @Test(arguments: [.status(302), .status(400), .status(404), .status(500), .none("No answer.")] as [WebhookAnswer])
    func everythingElseIsTriedAgain(_ answer: WebhookAnswer) {
        #expect(next(answer) == .retry(after: .seconds(5)))
        #expect(WebhookRetry.error(answer) != nil)
    }

    @Test func pausesGrowOverNearlyADay() {
        #expect(WebhookRetry.pauses == WebhookRetry.pauses.sorted())
        let whole = WebhookRetry.pauses.reduce(.zero, +)
        #expect(whole > .seconds(23 * 3_600) && whole < .seconds(24 * 3_600))
        for (index, pause) in WebhookRetry.pauses.enumerated() {
            #expect(next(.status(500), attempt: index + 1) == .retry(after: pause))
            #expect(next(.status(500), attempt: index + 1, random: 1) == .retry(after: pause * 1.1))
        }
        #expect(next(.status(500), attempt: WebhookRetry.pauses.count + 1) == .givenUp)
    }

    @Test func testMessageIsTriedOnce() {
        #expect(next(.status(500), isTest: true) == .givenUp)
        #expect(next(.status(200), isTest: true) == .delivered)
    }

    @Test(arguments: [429, 503]) func receiverCanAskForALongerPauseWithinBounds(_ status: Int) {
        #expect(next(.status(status, retryAfter: 60)) == .retry(after: .seconds(60)))
        #expect(next(.status(status, retryAfter: 1)) == .retry(after: .seconds(5)))
        #expect(next(.status(status, retryAfter: -5)) == .retry(after: .seconds(5)))
        #expect(next(.status(status, retryAfter: 1_000_000)) == .retry(after: .seconds(3_600)))
        #expect(next(.status(500, retryAfter: 60)) == .retry(after: .seconds(5)))
    }
}
