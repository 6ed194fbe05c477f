import Campaigns
import EventLoop
import Testing

@testable import Dispatcher
@testable import Store

/// When a batch has to end before everybody was sent to.
@Suite struct SendingLimitsTests {
    private static let now = MonotonicTime.now()

    private static func limits(
        _ state: RunRecord.State = .sending, expiresIn: Duration = .seconds(60), reevaluateIn: Duration? = nil
    ) -> SendingLimits {
        var limits = SendingLimits()
        limits.stored(
            FlushStore.Stored(runState: state, expiresIn: expiresIn, reevaluateIn: reevaluateIn), began: now)
        return limits
    }

    @Test func beforeTheFirstFlushNothingEndsABatch() {
        #expect(SendingLimits().ending(.init(), at: Self.now) == nil)
        #expect(SendingLimits().sendDeadline(within: Self.now) == Self.now)
    }

    @Test func aProcessThatStopsReleasesItEvenIfTheRunIsOver() {
        #expect(Self.limits(.cancelled).ending(.init(isStopping: true), at: Self.now) == .released)
    }

    @Test func aPausedRunReleasesItAndACancelledOneEndsIt() {
        #expect(Self.limits(.paused).ending(.init(), at: Self.now) == .released)
        #expect(Self.limits(.cancelled).ending(.init(), at: Self.now) == .done)
        #expect(Self.limits(.finished).over(nil, at: Self.now) == .cancelled)
    }

    /// The poll is newer than the last flush, or the other way round: then the flush has changed what the poll said.
    @Test func theKnownStateOfTheRunComesFirst() {
        #expect(Self.limits(.paused).ending(.init(state: .sending), at: Self.now) == nil)
        #expect(Self.limits(.sending).ending(.init(state: .paused), at: Self.now) == .released)
    }

    @Test func anExpiredRunEndsItAndAPauseKeepsItsRecipients() {
        let limits = Self.limits(expiresIn: .seconds(5))
        #expect(limits.ending(.init(), at: Self.now + .seconds(4)) == nil)
        #expect(limits.ending(.init(), at: Self.now + .seconds(5)) == .done)
        #expect(limits.over(nil, at: Self.now + .seconds(5)) == .expired)
        #expect(limits.ending(.init(state: .paused), at: Self.now + .seconds(5)) == .released)
    }

    @Test func recipientsToReevaluateAndTooManyRejectionsReleaseIt() {
        let limits = Self.limits(reevaluateIn: .seconds(5))
        #expect(limits.ending(.init(), at: Self.now + .seconds(5)) == .released)
        #expect(Self.limits().ending(.init(isOverThreshold: true), at: Self.now) == .released)
    }

    @Test func pushesBeginBeforeTheFirstOfAllDeadlines() {
        let limits = Self.limits(expiresIn: .seconds(5), reevaluateIn: .seconds(4))
        #expect(limits.sendDeadline(within: Self.now + .seconds(9)) == Self.now + .seconds(4))
        #expect(limits.sendDeadline(within: Self.now + .seconds(3)) == Self.now + .seconds(3))
    }
}

/// A batch's part of the process's budget.
@Suite struct BudgetShareTests {
    @Test func roomThatABatchHasIsNotTakenAgain() {
        let budget = UnresolvedBudget(4_000)
        var share = BudgetShare(of: budget)
        #expect(share.room(for: 1_000, beside: 0, .first) == .granted(1_000))
        #expect(share.room(for: 1_000, beside: 0, .first) == .granted(1_000))
        // The first window is on the wire.
        #expect(share.room(for: 1_000, beside: 1_000, .next) == .granted(1_000))
        #expect(share.room(for: 1_000, beside: 2_000, .next) == .missing)
    }

    @Test func whatIsLeftIsEnoughIfItIsASmallWindow() {
        let budget = UnresolvedBudget(4_000)
        var share = BudgetShare(of: budget)
        #expect(share.room(for: 2_500, beside: 0, .first) == .granted(2_500))
        #expect(share.room(for: 1_000, beside: 2_436, .next) == .granted(64))
        #expect(share.room(for: 1_000, beside: 2_437, .next) == .missing)
        #expect(share.room(for: 64, beside: 2_437, .overdue) == .granted(64))
    }

    @Test func aStoredFlushReturnsWhatIsResolved() {
        let budget = UnresolvedBudget(4_000)
        var share = BudgetShare(of: budget)
        var other = BudgetShare(of: budget)
        #expect(share.room(for: 2_500, beside: 0, .first) == .granted(2_500))
        #expect(other.room(for: 1_000, beside: 0, .first) == .missing)
        share.keep(500)
        #expect(other.room(for: 1_000, beside: 0, .first) == .granted(1_000))
        share.keep(0)
        #expect(other.room(for: 2_500, beside: 0, .first) == .granted(2_500))
    }
}
