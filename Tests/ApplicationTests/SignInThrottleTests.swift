import EventLoop
import Testing

@testable import Application

@Suite struct SignInThrottleTests {
    private let start = MonotonicTime.now()

    private func attempt(_ network: String, known: Bool = false, email: String = "owner") -> SignInThrottle.Attempt {
        SignInThrottle.Attempt(email: email, network: network, isKnown: known)
    }

    @Test func strangerGuessesTenTimesAndThenEveryHalfMinute() {
        var throttle = SignInThrottle()
        for _ in 0..<10 { #expect(throttle.begin(attempt("a"), at: start) == .zero) }
        #expect(throttle.begin(attempt("b"), at: start) == .seconds(30))
        #expect(throttle.begin(attempt("b"), at: start + .seconds(30)) == .zero)
        #expect(throttle.begin(attempt("b"), at: start + .seconds(31)) == .seconds(29))
    }

    @Test func ownerSignsInFromAKnownAddressAfterAThousandWrongPasswords() {
        var throttle = SignInThrottle()
        for index in 0..<1_000 { _ = throttle.begin(attempt("bot \(index % 50)"), at: start) }
        #expect(throttle.begin(attempt("home"), at: start) > .zero)
        let owner = attempt("home", known: true)
        #expect(throttle.begin(owner, at: start) == .zero)
        throttle.succeeded(owner, at: start)
    }

    @Test func guessesFromAKnownAddressAreLimitedToo() {
        var throttle = SignInThrottle()
        for _ in 0..<20 { #expect(throttle.begin(attempt("office", known: true), at: start) == .zero) }
        #expect(throttle.begin(attempt("office", known: true), at: start) == .seconds(10))
        #expect(throttle.begin(attempt("home", known: true), at: start) == .zero)
    }

    @Test func oneAddressCanNotTryManyAccounts() {
        var throttle = SignInThrottle()
        for index in 0..<20 { #expect(throttle.begin(attempt("a", email: "\(index)"), at: start) == .zero) }
        #expect(throttle.begin(attempt("a", email: "another"), at: start) == .seconds(10))
        #expect(throttle.begin(attempt("b", email: "another"), at: start) == .zero)
    }

    @Test func rightPasswordIsNotCounted() {
        var throttle = SignInThrottle()
        for _ in 0..<100 {
            #expect(throttle.begin(attempt("a"), at: start) == .zero)
            throttle.succeeded(attempt("a"), at: start)
        }
    }
}
