import Foundation
import Testing

@testable import BelfryCore

struct RetryPolicyTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test func everyStatusHasItsAction() {
        for status in 100...599 {
            var policy = RetryPolicy()
            var random = SplitMix(state: 1)
            let action = policy.received(.status(status), at: now, using: &random)
            switch (status, action) {
            case (200..<300, .done), (300..<400, .stop(status)), (401, .stop(401)), (403, .stop(403)),
                (404, .stop(404)), (413, .split), (408, .retry), (425, .retry), (429, .retry), (500..<600, .retry),
                (100..<200, .retry):
                break
            case (400..<500, .drop(status)) where ![401, 403, 404, 408, 413, 425, 429].contains(status): break
            default: Issue.record("\(status): \(action)")
            }
        }
    }

    @Test func delaysGrowWithJitterAndAreBounded() throws {
        var policy = RetryPolicy()
        var random = SplitMix(state: 1)
        for attempt in 0..<100 {
            let action = policy.received(.transportError, at: now, using: &random)
            guard case .retry(let delay) = action else {
                Issue.record("\(action)")
                return
            }
            let longest = min(pow(2, Double(attempt)), RetryPolicy.maximumDelay)
            #expect((longest / 2...longest).contains(delay))
        }
    }

    @Test func successStartsTheDelaysAgain() {
        var policy = RetryPolicy()
        var random = SplitMix(state: 1)
        for _ in 0..<9 { _ = policy.received(.transportError, at: now, using: &random) }
        #expect(policy.received(.status(200), at: now, using: &random) == .done)
        guard case .retry(let delay) = policy.received(.status(503), at: now, using: &random) else {
            Issue.record("not a retry")
            return
        }
        #expect(delay <= RetryPolicy.firstDelay)
    }

    // A wrong key once made a kit send the same request for ever.
    @Test(arguments: [401, 403, 404]) func wrongKeyOrAddressIsReportedOnce(status: Int) {
        var policy = RetryPolicy()
        var random = SplitMix(state: 1)
        #expect(policy.received(.status(status), at: now, using: &random) == .stop(status: status))
        #expect(policy.received(.status(status), at: now, using: &random) == .nothing)
        #expect(policy.isStopped)
    }

    @Test(
        arguments: [
            ("120", 120), (" 0 ", 0), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
            ("soon", nil), ("-5", nil), ("", nil),
        ] as [(String, TimeInterval?)])
    func retryAfterIsSecondsOrADate(text: String, delay: TimeInterval?) {
        #expect(RetryPolicy.delay(retryAfter: text, at: now) == delay)
    }

    @Test func retryAfterIsObeyedUpToAnHour() {
        for (text, least) in [("120", 120.0), ("99999999999", 3_600)] {
            var policy = RetryPolicy()
            var random = SplitMix(state: 1)
            let action = policy.received(.status(429, retryAfter: text), at: now, using: &random)
            guard case .retry(let delay) = action else {
                Issue.record("\(action)")
                return
            }
            #expect((least...least + 1).contains(delay))
        }
    }
}
