import Testing

@testable import Dispatcher

@Suite struct TokenHealthTests {
    @Test func fewUnknownTokensAreBadAndManyBlameTheConfiguration() {
        var health = TokenHealth()
        health.count(answers: 1, mismatches: 1)
        #expect(!health.allowsRetiring)
        health.count(answers: 4, mismatches: 0)
        #expect(health.allowsRetiring)
        health.count(answers: 1, mismatches: 1)
        #expect(!health.allowsRetiring)
    }

    @Test func suddenFailureIsNoticedAfterLongSuccess() {
        var health = TokenHealth()
        for _ in 0..<1_000 { health.count(answers: 100, mismatches: 0) }
        var bad = 0
        while health.allowsRetiring, bad < 1_000 {
            health.count(answers: 1, mismatches: 1)
            bad += 1
        }
        #expect(bad <= 50)
    }
}
