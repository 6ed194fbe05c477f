import EventLoop
import Testing

@Suite struct TokenBucketTests {
    private let rule = TokenBucket.Rule(burst: 3, every: .seconds(10))
    private let start = MonotonicTime.now()

    @Test func burstComesFirstAndThenOneUseAnInterval() {
        var bucket = TokenBucket(at: start)
        for left in [3, 2, 1] {
            #expect(bucket.remaining(rule, at: start) == left && bucket.delay(rule, at: start) == .zero)
            bucket.use(rule, at: start)
        }
        #expect(bucket.remaining(rule, at: start) == 0 && bucket.delay(rule, at: start) == .seconds(10))
        #expect(bucket.remaining(rule, at: start + .seconds(9)) == 0)
        #expect(bucket.remaining(rule, at: start + .seconds(10)) == 1)
        #expect(bucket.remaining(rule, at: start + .seconds(300)) == 3)
        #expect(!bucket.isFull(at: start + .seconds(29)) && bucket.isFull(at: start + .seconds(30)))
    }

    @Test func useThatIsGivenBackDoesNotCount() {
        var bucket = TokenBucket(at: start)
        bucket.use(rule, at: start)
        bucket.giveBack(rule, at: start)
        bucket.giveBack(rule, at: start)
        #expect(bucket.remaining(rule, at: start) == 3)
    }

    @Test func fullBucketsAreForgottenFirst() {
        var buckets = TokenBuckets<Int>(capacity: 2)
        buckets.use(1, rule, at: start)
        for _ in 0..<3 { buckets.use(2, rule, at: start) }
        buckets.use(3, rule, at: start + .seconds(15))
        #expect(buckets.remaining(2, rule, at: start + .seconds(15)) == 1)
        #expect(buckets.remaining(3, rule, at: start + .seconds(15)) == 2)
        buckets.use(4, rule, at: start + .seconds(15))
        // None was full, so all were forgotten.
        #expect(buckets.remaining(2, rule, at: start + .seconds(15)) == 3)
    }
}
