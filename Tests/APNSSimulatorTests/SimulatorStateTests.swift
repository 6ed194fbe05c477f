import Testing

@testable import APNSSimulator

struct FaultPlanTests {
    private let fault = Fault.internalServerError

    private func happened(_ condition: Faults.Condition, of count: Int, seed: UInt64 = 1) -> [Int] {
        var plan = FaultPlan(Faults([.init(fault, condition)]), seed: seed)
        return (1...count).filter { _ in plan.requestCame(tokenHash: nil).fault != nil }
    }

    @Test func conditionsCountRequests() {
        #expect(happened(.always, of: 3) == [1, 2, 3])
        #expect(happened(.first(2), of: 4) == [1, 2])
        #expect(happened(.nth(3), of: 4) == [3])
        #expect(happened(.every(2), of: 5) == [2, 4])
        #expect(happened(.range(2...4), of: 6) == [2, 3, 4])
    }

    @Test func ratesRepeatWithTheirSeed() {
        let some = happened(.rate(0.1), of: 10_000, seed: 5)

        #expect(900...1_100 ~= some.count)
        #expect(happened(.rate(0.1), of: 10_000, seed: 5) == some)
        #expect(happened(.rate(0.1), of: 10_000, seed: 6) != some)
    }

    @Test func rulesMayBeForSomeTokensOnly() {
        let token: [UInt8] = [1, 2, 3]
        var plan = FaultPlan(Faults([.init(fault, for: .tokens([token]))]), seed: 1)

        #expect(plan.requestCame(tokenHash: Hash64.of(token)).fault == fault)
        #expect(plan.requestCame(tokenHash: Hash64.of([1, 2] as [UInt8])).fault == nil)
        #expect(plan.requestCame(tokenHash: nil).fault == nil)
    }

    @Test func firstMatchingFaultIsUsedAndDelaysAddUp() {
        let rules: [Faults.Rule] = [
            .init(.delay(by: .seconds(1))), .init(.shutdown, .nth(2)), .init(fault), .init(.delay(by: .seconds(2))),
            .init(.refuseConnection),
        ]
        var plan = FaultPlan(Faults(rules), seed: 1)

        #expect(plan.requestCame(tokenHash: nil) == .init(fault: fault, delay: .seconds(3)))
        #expect(plan.requestCame(tokenHash: nil).fault == .shutdown)
        #expect(plan.connectionBegan() == .refuseConnection)
    }
}

struct StreamPolicyTests {
    @Test func streamLimitDependsOnTokenAndAnswers() {
        var limits = StreamLimits()
        limits.reducesAfterRejection = true
        var policy = StreamPolicy(limits)

        #expect(policy.announced == 1)
        #expect(policy.refused(status: 403) == nil)
        #expect(policy.tokenSeen() == nil)
        #expect(policy.accepted() == 1_000)
        #expect(policy.refused(status: 410) == nil)
        #expect(policy.refused(status: 400) == 1)
        #expect(policy.accepted() == 1_000)
        #expect(policy.limitChanged(to: 10) == 10)
        #expect(policy.accepted() == nil)
    }
}

struct RecordTests {
    private func note(_ record: Record, _ id: UInt64, token: UInt8, accepted: Bool = true) {
        var check = RequestCheck()
        check.id = PushID(high: 1, low: id)
        check.tokenHash = Hash64.of([token])
        record.note(
            .init(
                check: check, status: accepted ? 200 : 500, reason: accepted ? nil : "InternalServerError",
                isAccepted: accepted, hasFault: false, openStreams: 1, providerTokens: 1))
    }

    @Test func duplicatesAreDistinguishedFromRetries() {
        let record = Record()
        note(record, 1, token: 1, accepted: false)
        note(record, 1, token: 1)
        #expect(record.counts.repeatedIDs == 1 && record.counts.acceptedTwice == 0)

        note(record, 1, token: 1)
        note(record, 1, token: 1)
        #expect(record.counts.acceptedTwice == 1)
        #expect(record.token([1]) == TokenRecord(requests: 4, accepted: 3, lastStatus: 200))
        #expect(!record.flags.contains(.idReusedForAnotherToken))
        note(record, 1, token: 2)
        #expect(record.flags.contains(.idReusedForAnotherToken))
    }

    @Test func tablesGrow() {
        let record = Record()
        for id in 0..<5_000 { note(record, UInt64(id), token: UInt8(id % 200)) }

        #expect(record.counts.accepted == 5_000)
        #expect(record.counts.tokens == 200)
        for id in 0..<5_000 { #expect(record.accepted(PushID(high: 1, low: UInt64(id))) == 1) }
        record.reset()
        #expect(record.counts == Record.Counts())
    }

    @Test(.timeLimit(.minutes(10))) func waitEndsWhenTheCountIsReached() async {
        let record = Record()
        async let waiting: Void = record.waitUntilAccepted(3)
        for id in 0..<3 { note(record, UInt64(id), token: 1) }
        await waiting
        #expect(record.counts.accepted == 3)
    }
}
