import EventLoop
import Testing

@testable import APNS

struct CredentialSlowdownTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private var slowdown: CredentialSlowdown {
        var options = APNSOptions()
        options.shortestSlowdown = .seconds(2)
        options.longestSlowdown = .seconds(4)
        return CredentialSlowdown(options: options)
    }

    @Test func afterARefusalOneProbeFollowsThePause() {
        var slowdown = slowdown
        #expect(slowdown.permission(at: start) == .free)
        let answer = slowdown.refused(.tokenUpdates, at: start)
        #expect(answer == SlowdownAnswer(reason: .tokenUpdates, at: start))
        // Another window that was on its way is the same refusal.
        #expect(slowdown.refused(.refusedStreams, at: start + .milliseconds(1)) == answer)
        #expect(slowdown.permission(at: start + .milliseconds(999)) == .wait(answer))
        #expect(slowdown.permission(at: start + .seconds(2)) == .probe)
        #expect(slowdown.permission(at: start + .seconds(2)) == .wait(answer))
    }

    @Test func acceptedProbeEndsTheSlowdownAndAnUnansweredOneIsRepeated() {
        var slowdown = slowdown
        _ = slowdown.refused(.tokenUpdates, at: start)
        let later = start + .seconds(2)
        #expect(slowdown.permission(at: later) == .probe)
        slowdown.probed(isAccepted: false)
        #expect(slowdown.permission(at: later) == .probe)
        slowdown.probed(isAccepted: true)
        #expect(slowdown.permission(at: later) == .free && !slowdown.isOngoing)
    }

    @Test func pausesGrowUpToTheLongest() {
        var slowdown = slowdown
        var now = start
        for pause in [2, 4, 4] {
            let answer = slowdown.refused(.refusedStreams, at: now)
            #expect(slowdown.permission(at: now + .seconds(pause) / 2 - .milliseconds(1)) == .wait(answer))
            now = now + .seconds(pause)
            #expect(slowdown.permission(at: now) == .probe)
        }
    }

    @Test func heldConnectionSendsNothingUntilTheProbeThenOnePushAtATime() {
        var state = ConnectionState()
        state.settingsReceived(maximumStreams: 100)
        state.submitted()
        state.answered(status: 200)
        #expect(state.freeStreams == 100)
        state.hold(.tokenUpdates)
        #expect(state.freeStreams == 0)
        state.probe()
        #expect(state.freeStreams == 1)
        state.submitted()
        state.answered(status: 429)
        #expect(state.freeStreams == 1)
        state.submitted()
        state.answered(status: 200)
        #expect(state.freeStreams == 100)
    }

    private static func open(streams: Int) -> ConnectionState {
        var state = ConnectionState()
        state.settingsReceived(maximumStreams: streams)
        return state
    }

    @Test func connectionWhoseStreamsAreAllRefusedIsHeldUntilTheProbe() {
        var state = Self.open(streams: 100)
        for number in 1...ConnectionState.maximumRefusals {
            #expect(state.heldBecause == nil)
            state.submitted()
            state.refused()
            #expect((state.heldBecause == .refusedStreams) == (number == ConnectionState.maximumRefusals))
        }
        state.probe()
        #expect(state.freeStreams == 1)
        state.submitted()
        state.refused()
        #expect(state.heldBecause == .refusedStreams)
    }

    @Test func streamsAboveTheLastOneOfGOAWAYHoldNothing() {
        var state = Self.open(streams: 100)
        for _ in 0..<50 { state.submitted() }
        state.stopAccepting()
        for _ in 0..<50 { state.refused() }
        #expect(state.heldBecause == nil && state.isDrained)
    }

    /// The server has lowered its limit: it refuses what is above, and answers the others.
    @Test func connectionThatRefusesOnlyManyStreamsIsNotHeld() {
        var state = Self.open(streams: 100)
        for _ in 0..<100 { state.submitted() }
        for _ in 0..<99 { state.refused() }
        #expect(state.heldBecause == nil)
        state.answered(status: 200)
        #expect(state.heldBecause == nil)
    }
}
