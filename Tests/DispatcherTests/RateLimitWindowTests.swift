import Testing

@testable import Dispatcher

struct RateLimitWindowTests {
    @Test func windowGrowsWhileTheSenderIsBehindAndShrinksWhileItWaits() {
        var span = RateLimitWindow()
        #expect(span.pushes(at: 7, atMost: 1_000) == 1)
        #expect(span.pushes(at: 3_000, atMost: 1_000) == 300)
        #expect(span.pushes(at: 30_000, atMost: 1_000) == 1_000)
        for _ in 1...9 { span.reserved(waiting: .zero) }
        // No more than may be booked at once.
        #expect(span.pushes(at: 7, atMost: 1_000) == 7)
        for _ in 1...99 { span.reserved(waiting: .milliseconds(1)) }
        #expect(span == RateLimitWindow())
    }
}
