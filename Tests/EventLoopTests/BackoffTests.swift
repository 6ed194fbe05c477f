import EventLoop
import Testing

struct BackoffTests {
    @Test func pausesDoubleUpToTheLongest() {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(4))
        for longest in [1, 2, 4, 4, 4] {
            let pause = backoff.failed()
            #expect(pause >= .seconds(longest) / 2 && pause <= .seconds(longest))
        }
        for _ in 0..<100 {
            let pause = backoff.failed()
            #expect(pause <= .seconds(4))
        }
    }

    @Test func successBeginsAgainWithTheFirstPause() {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(64))
        for _ in 0..<5 { _ = backoff.failed() }
        backoff.succeeded()
        #expect(backoff.failures == 0)
        let pause = backoff.failed()
        #expect(pause <= .seconds(1))
    }
}
