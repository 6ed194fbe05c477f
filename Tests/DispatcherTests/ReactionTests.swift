import Campaigns
import EventLoop
import Testing

@testable import APNS
@testable import Dispatcher

/// Apple's answers mean the same for batches of campaigns and for transactional pushes: both read one table.
@Suite struct ReactionTests {
    private static func result(_ reason: APNSReason) -> PushResult {
        var result = PushResult()
        result.state = .answered
        result.status = 400
        result.reason = ReasonTable.number(of: reason)
        return result
    }

    /// A transactional push that got the answer and then expires.
    private static func outcome(of reason: APNSReason) throws -> UInt8 {
        let result = result(reason)
        let reaction = try #require(result.reaction)
        let began = MonotonicTime.now()
        var progress = PushProgress(outcomes: [OutcomeCode.pending], retryDeadlines: [began + .seconds(60)])
        _ = progress.next(at: began)
        progress.record(0, result, codes: [result.reason: 200])
        #expect(progress.isOver == (reaction.push == .ends))
        _ = progress.next(at: began + .seconds(60))
        return progress.outcomes[0]
    }

    @Test(arguments: APNSReason.allCases)
    func anAnswerIsThePushesOutcomeUnlessItIsAboutTheProviderToken(_ reason: APNSReason) throws {
        let isAboutProviderToken = reason == .expiredProviderToken || reason == .tooManyProviderTokenUpdates
        #expect(try Self.outcome(of: reason) == (isAboutProviderToken ? OutcomeCode.expired : 200))
    }

    @Test(arguments: APNSReason.allCases)
    func onlyAnAnswerThatEndsThePushBlamesItsToken(_ reason: APNSReason) throws {
        let reaction = try #require(Self.result(reason).reaction)
        guard reaction.token != nil else { return }
        #expect(reaction.push == .ends && reaction.client == nil && !reaction.blamesCredential)
    }

    /// The client tries what may help; after that the campaign stops.
    @Test(arguments: APNSReason.allCases)
    func aFaultOfTheCredentialConcernsTheClientToo(_ reason: APNSReason) throws {
        let reaction = try #require(Self.result(reason).reaction)
        guard reaction.blamesCredential else { return }
        let steps: [Reaction.ClientStep] = reaction.push == .ends ? [.recall] : [.reconnect, .renewToken]
        #expect(steps.contains { $0 == reaction.client } && reaction.token == nil)
    }

    @Test func anAcceptedPushHasNoReaction() {
        var result = Self.result(.badDeviceToken)
        result.status = 200
        #expect(result.reaction == nil)
    }
}
