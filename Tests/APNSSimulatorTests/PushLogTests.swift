import Testing

@testable import APNSSimulator

@Suite struct PushLogTests {
    private func push(_ token: UInt8) -> ObservedPush { ObservedPush(token: [token]) }

    @Test func lastPushesOfEachDeviceAreKeptInTheirOrder() {
        var log = PushLog()
        for number in 0..<(PushLog.limitPerDevice + 10) { log.add(push(UInt8(number % 2))) }
        #expect(log.newest == PushLog.limitPerDevice + 10)
        for _ in 0..<PushLog.limitPerDevice { log.add(push(7)) }
        #expect(log.entries(toToken: [7]).count == PushLog.limitPerDevice)
        log.add(push(7))
        #expect(log.entries(toToken: [7]).count == PushLog.limitPerDevice)
        #expect(log.entries(toToken: [7]).last?.number == log.newest)
        #expect(log.entries(toToken: [7], after: log.newest - 1).count == 1)
        #expect(log.entries(toToken: [9]).isEmpty)
        let all = log.entries(toToken: nil).map(\.number)
        #expect(all == all.sorted() && all.count == Set(all).count)
        log.removeAll()
        log.add(push(7))
        #expect(log.entries(toToken: [7]).map(\.number) == [log.newest])
    }

    @Test func deviceWithTheOldestPushGivesWay() {
        var log = PushLog()
        for number in 0...PushLog.deviceLimit {
            log.add(ObservedPush(token: [UInt8(number >> 8), UInt8(number & 255), 1]))
        }
        #expect(log.entries(toToken: [0, 0, 1]).isEmpty)
        #expect(log.entries(toToken: [0, 1, 1]).count == 1)
    }
}

extension ObservedPush {
    /// A push of which only the device matters.
    fileprivate init(token: [UInt8]) {
        self.init(
            status: 200, reason: nil, flags: [], tokenStart: "", tokenHash: Self.hash(ofToken: token), headers: [],
            payload: [], payloadSize: 0)
    }
}
