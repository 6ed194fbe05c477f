import APNS
import Campaigns
import EventLoop
import Notifications
import Store
import TestSupport
import Testing

@testable import Dispatcher

@Suite struct PushGroupingTests {
    private static func request(
        _ app: Int64 = 1, _ devices: [Int64], _ environments: [PushEnvironment] = [], key: IdempotencyKey? = nil
    ) throws -> PushRequest {
        PushRequest(
            app: App.ID(rawValue: app),
            options: PushOptions(
                bundleID: try BundleID("com.example.Bell"), pushType: .alert, priority: .immediate, expiration: 0,
                collapseID: nil),
            recipients: devices.enumerated().map { place, device in
                PushRequest.Recipient(
                    target: place, device: Device.ID(rawValue: device),
                    environment: place < environments.count ? environments[place] : .production,
                    content: .suppressed(OutcomeCode.suppressedDenied))
            },
            key: key)
    }

    @Test func appsAndEnvironmentsHaveBatchesOfTheirOwn() throws {
        let grouping = PushGrouping([
            try Self.request(1, [1, 2], [.development, .production]), try Self.request(2, [1]),
            try Self.request(1, [3]),
        ])
        #expect(grouping.batches.map(\.recipients) == [[2, 3], [1], [1]])
        #expect(grouping.batches.map(\.environment) == [.production, .development, .production])
        #expect(
            grouping.parts == [
                [.init(batch: 0, first: 0, count: 1), .init(batch: 1, first: 0, count: 1)],
                [.init(batch: 2, first: 0, count: 1)], [.init(batch: 0, first: 1, count: 1)],
            ])
    }

    @Test func repeatedDeviceStartsTheNextBatch() throws {
        let grouping = PushGrouping([
            try Self.request(1, [1, 2]), try Self.request(1, [2, 3]), try Self.request(1, [1]),
            try Self.request(1, [3]),
        ])
        #expect(grouping.batches.map(\.recipients) == [[1, 2], [2, 3, 1], [3]])
    }

    @Test func fullBatchIsFollowedByAnother() throws {
        let grouping = PushGrouping(
            [
                try Self.request(1, [1, 2]), try Self.request(1, [3, 4]), try Self.request(1, [5]),
                try Self.request(1, [6]),
            ], limit: 3)
        #expect(grouping.batches.map(\.recipients) == [[1, 2], [3, 4, 5], [6]])
    }

    /// Whatever comes: no device twice in a batch, no batch too large, and everybody where the parts say.
    @Test func randomRequestsFollowTheRules() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            let requests = try (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                let devices = (1...12).shuffled(using: &generator).prefix(Int.random(in: 1...6, using: &generator))
                // A device stays in its environment.
                return try Self.request(
                    Int64.random(in: 1...2, using: &generator), devices.map { Int64($0) },
                    devices.map { $0 % 3 == 0 ? .development : .production })
            }
            let grouping = PushGrouping(requests, limit: 8)
            for batch in grouping.batches {
                #expect(Set(batch.recipients).count == batch.recipients.count)
                #expect((1...8).contains(batch.recipients.count))
                #expect(batch.recipients.count == batch.outcomes.count && batch.outcomes.count == batch.members.count)
            }
            for (request, parts) in zip(requests, grouping.parts) {
                var found: [Int64] = []
                for part in parts {
                    #expect(grouping.batches[part.batch].app == request.app)
                    found += grouping.batches[part.batch].recipients[part.first..<part.first + part.count]
                }
                #expect(found.sorted() == request.recipients.map(\.device.rawValue).sorted())
            }
        }
    }

    @Test func firstRequestWithAKeyIsExecuted() throws {
        func key(_ body: UInt8) throws -> IdempotencyKey {
            try #require(IdempotencyKey("k", of: .apiKey(1), bodyHash: [UInt8](repeating: body, count: 32)))
        }
        var group = PushRequestGroup([
            try Self.request(1, [1], key: key(1)), try Self.request(1, [1], key: key(1)),
            try Self.request(1, [1], key: key(2)), try Self.request(2, [1], key: key(2)),
        ])
        #expect(group.open.map(\.index) == [0, 3])
        let receipt = PushReceipt(id: PushRequestID([]), entries: [])
        group.answer(0, .accepted(receipt))
        group.refuse(App.ID(rawValue: 2))
        #expect(group.answers == [.accepted(receipt), .alreadyAccepted(receipt), .keyInUse, .noSuchApp])
    }

    // MARK: Progress

    private static func moment(_ seconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func deferredPushesAreRetriedUntilTheirDeadline() {
        var progress = PushProgress(
            outcomes: [0, OutcomeCode.suppressedDenied, 0, 0], retryDeadlines: [10, 10, 3, 3].map { Self.moment($0) })
        #expect(progress.next(at: Self.moment(0)) == ([0, 2, 3], Self.moment(3)) && progress.isOver)
        progress.record(0, OutcomeCode.accepted)
        progress.retryLater(2, refusedAs: 48)
        progress.retryLater(3)
        #expect(!progress.isOver)
        #expect(progress.pause(among: [.seconds(1), .seconds(4)], at: Self.moment(0)) == .seconds(1))
        #expect(progress.next(at: Self.moment(1)) == ([2, 3], Self.moment(3)))
        progress.retryLater(2, refusedAs: 48)
        progress.retryLater(3)
        #expect(progress.pause(among: [.seconds(1), .seconds(4)], at: Self.moment(1)) == .seconds(4))
        #expect(progress.isOver)
        // Apple's last word, and none.
        #expect(progress.outcomes == [OutcomeCode.accepted, OutcomeCode.suppressedDenied, 48, OutcomeCode.expired])
    }

    @Test func expiredPushesAreNotSent() {
        var progress = PushProgress(outcomes: [0, 0], retryDeadlines: [3, 10].map { Self.moment($0) })
        #expect(progress.next(at: Self.moment(3)) == ([1], Self.moment(10)))
        #expect(progress.outcomes == [OutcomeCode.expired, 0])
    }

    @Test func lastDelayRepeats() {
        var progress = PushProgress(outcomes: [0], retryDeadlines: [Self.moment(1_000)])
        let pauses = (0..<4).map { _ in
            for index in progress.next(at: Self.moment(0)).indices { progress.retryLater(index) }
            return progress.pause(among: [.seconds(1), .seconds(4)], at: Self.moment(0))
        }
        #expect(pauses == [.seconds(1), .seconds(4), .seconds(4), .seconds(4)])
    }

    @Test func shutdownGivesUpWaitingPushes() {
        var progress = PushProgress(outcomes: [0, 0, 0], retryDeadlines: [1, 1, 1].map { Self.moment($0) })
        _ = progress.next(at: Self.moment(0))
        progress.record(0, OutcomeCode.unknownDeadline)
        progress.retryLater(1, refusedAs: 49)
        progress.retryLater(2)
        progress.giveUp()
        #expect(progress.isOver)
        #expect(progress.outcomes == [OutcomeCode.unknownDeadline, 49, OutcomeCode.cancelled])
    }

    @Test(arguments: [
        (PushResult.State.unsent, UInt16(0), nil as UInt8?), (.deadlinePassed, 0, OutcomeCode.unknownDeadline),
        (.streamReset, 0, OutcomeCode.unknownReset), (.connectionLost, 0, OutcomeCode.unknownConnectionLost),
        (.answered, 200, OutcomeCode.accepted), (.answered, 400, 21), (.answered, 410, 21), (.answered, 403, 21),
        (.answered, 429, nil), (.answered, 500, nil), (.answered, 503, nil),
    ])
    func answersAreFinalOrRetried(_ state: PushResult.State, _ status: UInt16, _ code: UInt8?) {
        var progress = PushProgress(outcomes: [0], retryDeadlines: [Self.moment(1)])
        _ = progress.next(at: Self.moment(0))
        var result = PushResult()
        result.state = state
        result.status = status
        progress.record(0, result, codes: [result.reason: 21])
        #expect(progress.isOver == (code != nil))
        #expect(progress.outcomes == [code ?? 0])
    }
}
