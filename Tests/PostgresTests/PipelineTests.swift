import TestSupport
import Testing

@testable import Postgres

@Suite struct PipelineTests {
    struct Step: PipelineOperation {
        let id: UInt64
        var isExclusive = false
    }

    func sendAll(_ pipeline: inout Pipeline<Step>) -> [UInt64] {
        var ids: [UInt64] = []
        while let step = pipeline.sendNext() { ids.append(step.id) }
        return ids
    }

    @Test func exclusiveStepGoesAlone() {
        var pipeline = Pipeline<Step>()
        pipeline.enqueue(Step(id: 1))
        pipeline.enqueue(Step(id: 2))
        pipeline.enqueue(Step(id: 3, isExclusive: true))
        pipeline.enqueue(Step(id: 4))

        check(sendAll(&pipeline), [1, 2])
        check(pipeline.finishHead()?.id, 1)
        check(sendAll(&pipeline), [])
        check(pipeline.finishHead()?.id, 2)
        check(sendAll(&pipeline), [3])
        check(pipeline.finishHead()?.id, 3)
        check(sendAll(&pipeline), [4])
    }

    @Test func nothingIsSentWhileHeld() {
        var pipeline = Pipeline<Step>()
        pipeline.isHeld = true
        pipeline.enqueue(Step(id: 1))
        check(sendAll(&pipeline), [])
        check(pipeline.withdraw(2)?.id, nil)
        pipeline.enqueueFirst(Step(id: 0))
        pipeline.isHeld = false
        check(sendAll(&pipeline), [0, 1])
    }

    @Test func allAreTakenInTheirOrder() {
        var pipeline = Pipeline<Step>()
        check(pipeline.removeAll().map(\.id), [])
        pipeline.enqueue(Step(id: 1))
        pipeline.enqueue(Step(id: 2))
        check(sendAll(&pipeline), [1, 2])
        pipeline.enqueue(Step(id: 3))
        check(pipeline.removeAll().map(\.id), [1, 2, 3])
        check(sendAll(&pipeline), [])
        check(pipeline.finishHead()?.id, nil)
    }

    @Test func wireAndQueueHaveLimits() {
        var pipeline = Pipeline<Step>()
        for id in 0..<Pipeline<Step>.maximumSent { pipeline.enqueue(Step(id: UInt64(id))) }
        check(sendAll(&pipeline).count, Pipeline<Step>.maximumSent)
        for id in 1..<Pipeline<Step>.maximumWaiting { pipeline.enqueue(Step(id: UInt64(id))) }
        #expect(!pipeline.isFull)
        pipeline.enqueue(Step(id: 0))
        #expect(pipeline.isFull)
        check(sendAll(&pipeline), [])
    }

    @Test func cacheDropsTheStatementUsedLongestAgo() {
        var cache = StatementCache(capacity: 2)
        let keys = (0..<3).map { StatementCache.Key(sql: "\($0)", types: []) }
        for key in keys.prefix(2) {
            guard case .prepare = cache.use(key) else { return fail() }
            check(cache.use(key), .unnamed)
            cache.prepared(key)
        }
        guard case .execute = cache.use(keys[0]), case .prepare = cache.use(keys[2]) else { return fail() }
        check(cache.takeDiscarded().count, 1)
        #expect(cache.count == 2)
        guard case .execute = cache.use(keys[0]) else { return fail() }
        cache.forget(keys[2])
        guard case .prepare = cache.use(keys[2]) else { return fail() }
    }

    /// #expect cannot call what changes a value.
    private func check<Value: Equatable>(
        _ value: Value, _ expected: Value, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: location)
    }

    private func fail() { Issue.record("another decision") }
}
