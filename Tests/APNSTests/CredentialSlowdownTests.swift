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
        slowdown.refused(at: start)
        // Another window that was on its way is the same refusal.
        slowdown.refused(at: start)
        #expect(slowdown.permission(at: start + .milliseconds(999)) == .wait)
        #expect(slowdown.permission(at: start + .seconds(2)) == .probe)
        #expect(slowdown.permission(at: start + .seconds(2)) == .wait)
    }

    @Test func acceptedProbeEndsTheSlowdownAndAnUnansweredOneIsRepeated() {
        var slowdown = slowdown
        slowdown.refused(at: start)
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
            slowdown.refused(at: now)
            #expect(slowdown.permission(at: now + .seconds(pause) / 2 - .milliseconds(1)) == .wait)
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
        state.hold()
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
}
