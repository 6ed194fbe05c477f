import EventLoop
import Testing

@Suite struct ExpiringCacheTests {
    private struct Failure: Error {}

    @Test func valueIsReadOnceWithinItsLifetime() async throws {
        let cache = ExpiringCache<String, Int>(lifetime: .seconds(600), capacity: 2)
        var reads = 0
        for _ in 0..<3 {
            let value = try await cache.value(for: "a") {
                reads += 1
                return reads
            }
            #expect(value == 1)
        }
        #expect(reads == 1)
    }

    @Test func expiredValueIsReadAgain() async throws {
        let cache = ExpiringCache<String, Int>(lifetime: .seconds(60), capacity: 2)
        cache.insert(1, for: "a", readAt: .now() - .seconds(61))
        #expect(cache.value(for: "a") == nil)
        #expect(try await cache.value(for: "a") { 2 } == 2)
    }

    @Test func callerCanAskForAFresherValue() async throws {
        let cache = ExpiringCache<String, Int>(lifetime: .seconds(60), capacity: 2)
        cache.insert(1, for: "a", readAt: .now() - .seconds(30))
        #expect(cache.value(for: "a") == 1)
        #expect(try await cache.value(for: "a", noOlderThan: .seconds(5)) { 2 } == 2)
    }

    @Test func failedReadIsNotCached() async throws {
        let cache = ExpiringCache<String, Int>(lifetime: .seconds(60), capacity: 2)
        await #expect(throws: Failure.self) { try await cache.value(for: "a") { throw Failure() } }
        #expect(cache.value(for: "a") == nil)
    }

    @Test func fullCacheDropsExpiredValuesFirstAndThenAll() {
        let cache = ExpiringCache<Int, Int>(lifetime: .seconds(60), capacity: 2)
        cache.insert(1, for: 1, readAt: .now() - .seconds(61))
        cache.insert(2, for: 2)
        cache.insert(3, for: 3)
        #expect([1, 2, 3].map { cache.value(for: $0) } == [nil, 2, 3])

        cache.insert(4, for: 4)
        #expect([2, 3, 4].map { cache.value(for: $0) } == [nil, nil, 4])
    }

    @Test func replacedValueDropsNoOther() {
        let cache = ExpiringCache<Int, Int>(lifetime: .seconds(60), capacity: 2)
        cache.insert(1, for: 1)
        cache.insert(2, for: 2)
        cache.insert(3, for: 2)
        #expect([1, 2].map { cache.value(for: $0) } == [1, 3])
    }

    @Test func matchingValuesAreRemoved() {
        let cache = ExpiringCache<Int, Int>(lifetime: .seconds(60), capacity: 4)
        for number in 1...3 { cache.insert(number, for: number) }
        cache.remove { $0 == 2 }
        #expect((1...3).map { cache.value(for: $0) } == [1, nil, 3])
    }
}
