import EventLoop
import Testing

@testable import APNS

struct ConnectPolicyTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private var opening: ConnectPolicy {
        var options = APNSOptions()
        options.maximumConnections = 3
        options.connectionSpacing = .milliseconds(500)
        return ConnectPolicy(options: options)
    }

    @Test func connectionsComeOneByOneUpToTheMaximum() {
        var opening = opening
        #expect(opening.mayOpen(beside: 0, unverified: 0, at: start))
        opening.began(at: start)
        #expect(!opening.mayOpen(beside: 1, unverified: 1, at: start + .milliseconds(499)))
        #expect(opening.spacingLeft(at: start + .milliseconds(400)) == .milliseconds(100))
        #expect(opening.mayOpen(beside: 1, unverified: 1, at: start + .milliseconds(500)))
        #expect(opening.spacingLeft(at: start + .milliseconds(500)) == nil)
        #expect(!opening.mayOpen(beside: 3, unverified: 0, at: start + .seconds(9)))
    }

    /// A pause is between half of its length and the whole.
    @Test func afterAFailureOneIsTriedAndTheOthersWaitForItsAnswer() {
        var opening = opening
        opening.began(at: start)
        opening.failed(because: "first", at: start)
        // They end together: one failure, with the last reason.
        opening.failed(because: "second", at: start)
        #expect(opening.pauseReason(at: start + .milliseconds(499)) == "second")
        #expect(opening.spacingLeft(at: start) == nil)
        let later = start + .milliseconds(1_001)
        #expect(opening.pauseReason(at: later) == nil)
        #expect(opening.mayOpen(beside: 1, unverified: 0, at: later))
        #expect(!opening.mayOpen(beside: 2, unverified: 1, at: later))
        opening.succeeded()
        #expect(opening.mayOpen(beside: 2, unverified: 1, at: later))
    }

    @Test func pausesDoubleUpToTheLongest() {
        var opening = opening
        var now = start
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            opening.failed(because: "gone", at: now)
            #expect(opening.pauseReason(at: now + .seconds(pause) / 2 - .milliseconds(1)) == "gone")
            now = now + .seconds(pause) + .milliseconds(1)
            #expect(opening.pauseReason(at: now) == nil)
        }
    }

    @Test func successEndsThePauseAndResetsIt() {
        var opening = opening
        for minute in 0..<5 { opening.failed(because: "gone", at: start + .seconds(minute * 60)) }
        let now = start + .seconds(240)
        #expect(opening.pauseReason(at: now) == "gone")
        opening.succeeded()
        #expect(opening.pauseReason(at: now) == nil)
        opening.failed(because: "gone", at: now)
        #expect(opening.pauseReason(at: now + .milliseconds(1_001)) == nil)
    }
}

struct ConnectionStateTests {
    private func opened(_ maximum: Int) -> ConnectionState {
        var state = ConnectionState()
        state.settingsReceived(maximumStreams: maximum)
        return state
    }

    @Test func nothingIsSentBeforeSettings() {
        #expect(ConnectionState().freeStreams == 0)
        #expect(opened(1_000).freeStreams == 1)
        #expect(opened(0).freeStreams == 0)
    }

    @Test func connectionIsVerifiedByAnyAnswerAndBadIfItEndsWithPushes() {
        #expect(ConnectionState().verification == .pending && opened(10).verification == .pending)
        var refused = opened(10)
        refused.submitted()
        refused.answered(status: 403)
        #expect(refused.verification == .good)
        refused.ended()
        #expect(refused.verification == .good)
        var leaving = opened(10)
        leaving.submitted()
        leaving.stopAccepting()
        // Pushes in flight may still be answered.
        #expect(leaving.verification == .pending)
        leaving.released()
        #expect(leaving.verification == .bad)
        var gone = opened(10)
        gone.ended()
        #expect(gone.verification == .unused)
        // Closed because it was idle: not a failure.
        var idle = opened(10)
        idle.submitted()
        idle.released()
        idle.retire()
        idle.ended()
        #expect(idle.verification == .unused)
    }

    @Test func oneStreamUntilAnAnswerOtherThan403() {
        var state = opened(1_000)
        state.submitted()
        #expect(state.freeStreams == 0)
        state.answered(status: 403)
        #expect(state.freeStreams == 1)
        state.submitted()
        state.answered(status: 400)
        #expect(state.freeStreams == 1_000)
    }

    @Test func fallenLimitIsNeverNegative() {
        var state = opened(10)
        state.submitted()
        state.answered(status: 200)
        for _ in 0..<10 { state.submitted() }
        #expect(state.freeStreams == 0)
        state.settingsReceived(maximumStreams: 3)
        #expect(state.freeStreams == 0)
        for _ in 0..<7 { state.released() }
        #expect(state.freeStreams == 0)
        state.released()
        #expect(state.freeStreams == 1)
    }

    @Test func drainedWhenTheLastIsAnswered() {
        var state = opened(10)
        state.submitted()
        state.stopAccepting()
        #expect(state.phase == .draining && !state.isDrained && state.freeStreams == 0)
        // New SETTINGS do not open it again.
        state.settingsReceived(maximumStreams: 100)
        #expect(state.phase == .draining)
        state.answered(status: 200)
        #expect(state.isDrained)
        state.ended()
        state.stopAccepting()
        #expect(state.phase == .closed && !state.isDrained)
    }
}

struct ReasonTableTests {
    @Test func knownReasonsHaveFixedNumbers() {
        let table = ReasonTable()
        for reason in APNSReason.allCases {
            let number = table.number(for: reason.rawValue)
            #expect(number == ReasonTable.number(of: reason) && ReasonTable.reason(number) == reason)
        }
        #expect(Set(APNSReason.allCases.map(ReasonTable.number(of:))).count == APNSReason.allCases.count)
        #expect(ReasonTable.reason(0) == nil)
        #expect(table.number(for: "BadEnvironmentKeyInToken") == ReasonTable.number(of: .badEnvironmentKeyIDInToken))
        #expect(table.number(for: "Service Unavailable") == ReasonTable.number(of: .serviceUnavailable))
    }

    @Test func unknownReasonsAreKeptUpToTheLimitAndNotOneMore() {
        let table = ReasonTable()
        let numbers = (0..<ReasonTable.maximumUnknown).map { table.number(for: "New\($0)") }
        #expect(Set(numbers).count == ReasonTable.maximumUnknown)
        let other = table.number(for: "one too many")
        #expect(table.text(other) == "other" && table.number(for: "and another") == other)
        for (index, number) in numbers.enumerated() {
            #expect(table.text(number) == "New\(index)" && ReasonTable.reason(number) == nil)
            #expect(table.number(for: "New\(index)") == number)
        }
    }

    @Test func unknownReasonIsKeptUpToItsLength() {
        let table = ReasonTable()
        let longest = String(repeating: "x", count: ReasonTable.maximumLength)
        #expect(table.text(table.number(for: longest)) == longest)
        #expect(table.text(table.number(for: longest + "y")) == longest)
    }
}

struct AnswerBodyTests {
    private func read(_ text: String) -> ErrorResponseBody { ErrorResponseBody(Array(text.utf8)) }

    @Test(arguments: [
        #"{"reason":"Unregistered","timestamp":1690000000250}"#,
        #"{ "timestamp" : 1690000000250 , "reason" : "Unregistered" }"#,
        "{\n\t\"reason\":\r\n\t\"Unregistered\",\n\t\"timestamp\"\t:\n1690000000250\n}\n",
    ])
    func reasonAndTimeAreReadHoweverTheyAreSpaced(text: String) {
        #expect(read(text).reason == "Unregistered")
        #expect(read(text).timestamp == 1_690_000_000_250)
    }

    @Test(arguments: [
        "", "{}", "<html>reason</html>", #"{"reason":null}"#, #"{"reason":7}"#, #"{"reason":""}"#, #"{"reason""#,
        #"{"timestamp":"soon"}"#, #"{"timestamp":-5}"#, #"{"timestamp":99999999999999999999}"#,
    ])
    func otherBodiesHaveNoReason(text: String) {
        #expect(read(text).reason == nil)
        #expect(read(text).timestamp == 0)
    }

    @Test func truncatedBodiesAreReadSafely() {
        let whole = Array(#"{"reason":"Unregistered","timestamp":1690000000250}"#.utf8)
        for length in 0...whole.count {
            let body = ErrorResponseBody(whole.prefix(length))
            #expect("Unregistered".hasPrefix(body.reason ?? ""))
            #expect("1690000000250".hasPrefix(String(body.timestamp)) || body.timestamp == 0)
        }
        #expect(ErrorResponseBody([0xff, 0xfe, 0x00] as [UInt8]).reason == nil)
    }
}

struct PushWindowTests {
    private func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func shortestAndLongestTokenAreWrittenInHex() throws {
        let window = try APNSFixture.window(0..<0)
        window.append(0, token: [0xa7])
        window.append(1, token: (0..<200).map { UInt8($0) })
        window.append(2, token: [0x01])

        #expect(text(window.path(0)) == "/3/device/a7")
        #expect(text(window.path(1)).utf8.count == 410)
        #expect(text(window.path(1)).hasPrefix("/3/device/000102"))
        #expect(text(window.path(1)).hasSuffix("c6c7"))
        #expect(text(window.path(2)) == "/3/device/01")
        #expect(text(window.id(1)) == APNSFixture.id(1))
    }

    /// 1,000 of the largest pushes need ten times the initial memory of a window.
    @Test func memoryGrowsAndPreservesItsContent() throws {
        let window = try APNSFixture.window(0..<0)
        func payload(_ number: Int) -> [UInt8] {
            [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: PushWindow.maximumPayload - number % 3)
        }
        func token(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 200) }
        for number in 0..<PushWindow.maximumCount {
            window.append(number, token: token(number), payload: payload(number))
        }

        #expect(window.count == 1_000 && window.unsentCount == 1_000)
        for number in 0..<PushWindow.maximumCount {
            #expect(window.payload(number).elementsEqual(payload(number)))
            #expect(text(window.id(number)) == APNSFixture.id(number))
            #expect(window.path(number).count == 410 && window.path(number)[409] == window.path(number)[11])
        }
        let byte = String(UInt8(truncatingIfNeeded: 999), radix: 16)
        #expect(text(window.path(999)).hasSuffix(byte + byte))
    }

    @Test func resetClearsPushesAndDeadline() throws {
        let window = try APNSFixture.window(0..<5)
        window.results[0].state = .answered
        window.reset(headers: try #require(window.headers.last))
        #expect(window.count == 0 && window.unsentCount == 0)
        #expect(window.startDeadline < .now())
        window.append(9)
        #expect(window.results[0] == PushResult())
        #expect(text(window.path(0)).hasPrefix("/3/device/09"))
    }

    @Test func timeToStartOnlyGrows() throws {
        let later = MonotonicTime.now() + .seconds(60)
        let window = try APNSFixture.window(0..<1, until: later)
        window.allow(until: later - .seconds(50))
        #expect(window.startDeadline == later)
    }

    @Test func secondAttemptIsTheLast() throws {
        let window = try APNSFixture.window(0..<1)
        #expect(window.mayRetry(0))
        #expect(!window.mayRetry(0))
    }
}

struct PeerSilenceTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private func makeLiveness() -> PeerLiveness {
        PeerLiveness(pingAfter: .seconds(60), pingDeadline: .seconds(10), now: start)
    }

    @Test func peerIsPingedOnceAndThenGivenUp() {
        var liveness = makeLiveness()
        #expect(liveness.check(at: start + .seconds(60)) == .wait)
        #expect(liveness.check(at: start + .seconds(61)) == .ping)
        #expect(liveness.check(at: start + .seconds(70)) == .wait)
        #expect(liveness.check(at: start + .seconds(72)) == .giveUp)
    }

    @Test func receivedDataRestartsTheSilence() {
        var liveness = makeLiveness()
        #expect(liveness.check(at: start + .seconds(61)) == .ping)
        liveness.received()
        liveness.note(at: start + .seconds(65))
        #expect(liveness.lastReceived == start + .seconds(65))
        #expect(liveness.check(at: start + .seconds(80)) == .wait)
        #expect(liveness.check(at: start + .seconds(126)) == .ping)
        // Nothing was received since then.
        liveness.note(at: start + .seconds(130))
        #expect(liveness.lastReceived == start + .seconds(65))
    }
}

struct PushDeadlinesTests {
    @Test func groupsBecomeLateInTheirOrder() {
        let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
        let groups = (0..<3).map { number in
            PushDeadlines.Group(
                deadline: start + .seconds(number), submitted: start,
                first: PushTag(generation: 0, slot: number, index: 0), end: 10)
        }
        var deadlines = PushDeadlines()
        for group in groups { deadlines.add(group) }

        #expect(deadlines.popExpired(at: start + .milliseconds(1_500)) == groups[0])
        #expect(deadlines.popExpired(at: start + .milliseconds(1_500)) == groups[1])
        #expect(deadlines.popExpired(at: start + .milliseconds(1_500)) == nil)
        #expect(deadlines.popExpired(at: start + .seconds(2)) == groups[2])
        #expect(deadlines.popExpired(at: start + .seconds(9)) == nil)
    }
}

struct ActiveWindowsTests {
    private var windows = ActiveWindows<String>()

    private func window(_ count: Int) throws -> PushWindow { try APNSFixture.window(0..<count) }

    private func submit(_ count: Int, of slot: Int, in windows: inout ActiveWindows<String>) {
        windows[slot]?.next += count
        windows[slot]?.inFlight += count
    }

    @Test func tagHasSlotIndexAndGeneration() {
        let tag = PushTag(generation: 5, slot: 63, index: 999)
        #expect(tag.generation == 5 && tag.slot == 63 && tag.index == 999)
        #expect(PushTag(rawValue: tag.rawValue) == tag)
        #expect(tag.with(index: 7) == PushTag(generation: 5, slot: 63, index: 7))
    }

    @Test func windowGoesBackWithItsLastAnswer() throws {
        var windows = windows
        windows.add(try window(2), sender: "a")
        submit(2, of: 0, in: &windows)
        #expect(windows.finishSubmitting() == nil)
        #expect(windows.released(windows.tag(0, 0)) == nil)
        #expect(windows.window(of: windows.tag(0, 1)) != nil)
        #expect(windows.released(windows.tag(0, 1)) == "a")
    }

    @Test func windowThatHasMoreToSubmitStaysWhileItMayWait() throws {
        var windows = windows
        windows.add(try window(3), sender: "a")
        submit(1, of: 0, in: &windows)
        #expect(windows.released(windows.tag(0, 0)) == nil)
        #expect(windows.firstWaiting == 0)
        #expect(windows.stopWaiting { _ in false } == [])
        #expect(windows.stopWaiting { _ in true } == ["a"])
        #expect(windows.firstWaiting == nil)
    }

    @Test func windowThatMayNotWaitStaysForWhatIsInFlight() throws {
        var windows = windows
        windows.add(try window(3), sender: "a")
        submit(1, of: 0, in: &windows)
        #expect(windows.stopWaiting { _ in true } == [])
        #expect(windows.released(windows.tag(0, 0)) == "a")
    }

    @Test func lateEventOfAnEarlierWindowIsIgnored() throws {
        var windows = windows
        windows.add(try window(1), sender: "a")
        submit(1, of: 0, in: &windows)
        let old = windows.tag(0, 0)
        #expect(windows.finishSubmitting() == nil)
        #expect(windows.released(old) == "a")

        let next = try window(1)
        windows.add(next, sender: "b")
        #expect(windows.window(of: old) == nil)
        #expect(windows.window(of: windows.tag(0, 0)) === next)
        #expect(windows.window(of: PushTag(rawValue: -1)) == nil)
        #expect(windows.window(of: PushTag(generation: 0, slot: 9, index: 0)) == nil)
    }

    @Test func slotsAreLimitedAndUsedAgain() throws {
        var windows = windows
        for number in 0..<PushTag.slots {
            #expect(windows.hasRoom)
            windows.add(try window(1), sender: "\(number)")
        }
        #expect(!windows.hasRoom)
        var ended = 0
        #expect(windows.endAll { _ in ended += 1 }.count == PushTag.slots)
        #expect(ended == PushTag.slots && windows.hasRoom && windows.firstWaiting == nil)
    }

    @Test func pushIsFoundByItsStream() throws {
        var windows = windows
        let window = try window(3)
        windows.add(window, sender: "a")
        submit(3, of: 0, in: &windows)
        for index in 0..<3 {
            window.items[index].stream = Int32(2 * index + 1)
            window.results[index].state = index == 1 ? .answered : .inFlight
        }
        #expect(windows.tag(inFlightOn: 5) == windows.tag(0, 2))
        #expect(windows.tag(inFlightOn: 3) == nil)
        #expect(windows.tag(inFlightOn: 7) == nil)
    }
}
