import Campaigns
import EventLoop
import Notifications
import Store
import Testing

@testable import APNS
@testable import Dispatcher

/// A batch of a few recipients without sockets and clocks: windows whose results the test decides.
struct RecordedBatch {
    static let now = MonotonicTime.now()
    static let retries = 3
    static let code: UInt8 = 200

    var record: BatchRecord
    private var windowNumber = 0

    init(_ count: Int, policy: UnknownPolicy = .leave, mayWait: Bool = true) {
        record = BatchRecord(
            BatchProgress(outcomes: [UInt8](repeating: 0, count: count), sentThrough: 0, policy: policy),
            BatchRecord.Rules(retries: Self.retries, mayWait: mayWait, reasons: ReasonTable()))
    }

    static func answer(_ reason: APNSReason) -> PushResult {
        var result = PushResult()
        result.state = .answered
        result.status = 400
        result.reason = ReasonTable.number(of: reason)
        return result
    }

    static func result(_ state: PushResult.State) -> PushResult {
        var result = PushResult()
        result.state = state
        result.status = state == .answered ? 200 : 0
        return result
    }

    mutating func declare(limit: Int = .max) throws -> DeclaredWindow {
        var indices: [Int32] = []
        record.progress.declareNext(limit: limit, into: &indices)
        windowNumber += 1
        let window = PushWindow()
        window.reset(
            headers: PushHeaders(
                bundleID: try BundleID("com.example.app"), pushType: .alert, priority: .immediate, expiration: 0,
                collapseID: nil), number: windowNumber)
        for _ in indices {
            _ = [UInt8](repeating: 1, count: 32).withUnsafeBytes { window.beginPush(token: $0) }
            window.endPush(payloadLength: 0)
        }
        return DeclaredWindow(window: window, indices: indices)
    }

    /// Declares a window and gets these results.
    @discardableResult
    mutating func send(_ results: [PushResult]) throws -> BatchRecord.Findings {
        let declared = try declare(limit: results.count)
        try #require(declared.indices.count == results.count)
        for (index, result) in results.enumerated() { declared.window.results[index] = result }
        let codes = Dictionary(results.map { ($0.reason, Self.code) }, uniquingKeysWith: { $1 })
        return record.record(declared, codes, at: Self.now)
    }
}

@Suite struct BatchRecordTests {
    /// The same table decides for transactional pushes: see `ReactionTests`.
    @Test(arguments: APNSReason.allCases)
    func anAnswerEndsThePushUnlessItWaits(_ reason: APNSReason) throws {
        var batch = RecordedBatch(1)
        let result = RecordedBatch.answer(reason)
        let findings = try batch.send([result])
        let reaction = try #require(result.reaction)
        let isFinal = reaction.push == .ends && !reaction.blamesCredential
        #expect(batch.record.progress.outcomes == [isFinal ? RecordedBatch.code : OutcomeCode.requeued])
        #expect(findings.rejected.values.reduce(0, +) == (isFinal ? 1 : 0))
        #expect((findings.fault != nil) == (reaction.push == .ends && reaction.blamesCredential))
        #expect(findings.gone.count == (reaction.token == .gone ? 1 : 0))
        #expect(findings.mismatches == (reaction.token == .unknown || reaction.token == .foreign ? 1 : 0))
        #expect(batch.record.progress.mismatches == (reaction.token == .unknown ? [0] : []))
        #expect(
            (batch.record.answer(.apple, at: RecordedBatch.now) != nil)
                == (!isFinal && reaction.push != .waitsForDevice))
    }

    @Test func aPushThatIsOnlyWorthItNowDoesNotGoIntoALaterBatch() throws {
        for mayWait in [true, false] {
            var batch = RecordedBatch(1, mayWait: mayWait)
            for _ in 0..<RecordedBatch.retries {
                try batch.send([RecordedBatch.answer(.serviceUnavailable)])
                batch.record.progress.endDelay()
            }
            let findings = try batch.send([RecordedBatch.answer(.serviceUnavailable)])
            #expect(batch.record.progress.postponed[.apple] == (mayWait ? [0] : nil))
            #expect(findings.rejected.isEmpty == mayWait)
        }
    }

    @Test func aFaultThatLastsStopsTheRunAndAnAcceptedPushForgetsIt() throws {
        let fault = RecordedBatch.answer(.expiredProviderToken)
        var batch = RecordedBatch(100)
        for _ in 0..<RecordedBatch.retries { #expect(try batch.send([fault]).lastingFault == nil) }
        #expect(try batch.send([fault]).lastingFault == fault)
        #expect(try batch.send([fault, RecordedBatch.result(.answered)]).lastingFault == nil)
        #expect(try batch.send([fault]).lastingFault == nil)
        #expect(batch.record.hasCredentialFault)
    }

    @Test func aLateResultIsRecordedOnceAndStoredWithTheNextFlush() throws {
        var batch = RecordedBatch(2)
        try batch.send([RecordedBatch.result(.answered), RecordedBatch.result(.late)])
        #expect(batch.record.lateCount == 1 && batch.record.progress.unresolved == 1)
        #expect(!batch.record.hasUnstoredLate)
        let late = (id: LatePushes.ID(window: 1, index: 1), result: RecordedBatch.result(.answered))
        #expect(batch.record.record(late: [late], [:], at: RecordedBatch.now).accepted == 1)
        #expect(batch.record.record(late: [late], [:], at: RecordedBatch.now).accepted == 0)
        #expect(batch.record.lateCount == 0 && batch.record.hasUnstoredLate)
        #expect(batch.record.progress.outcomes == [OutcomeCode.accepted, OutcomeCode.accepted])
        batch.record.stored()
        #expect(!batch.record.hasUnstoredLate)
    }

    @Test func nobodyWaitsForAnAnswerOnceApplesAcceptsAgain() throws {
        var batch = RecordedBatch(2)
        try batch.send([RecordedBatch.answer(.serviceUnavailable)])
        #expect(batch.record.note(at: RecordedBatch.now) == .set("ServiceUnavailable", age: .zero))
        try batch.send([RecordedBatch.result(.answered)])
        #expect(batch.record.note(at: RecordedBatch.now) == .keep)
        batch.record.progress.endDelay()
        try batch.send([RecordedBatch.result(.answered)])
        #expect(batch.record.note(at: RecordedBatch.now) == .clear)
    }
}
