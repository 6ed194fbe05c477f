import Testing

@testable import APNSSimulator

struct LiveActivityCheckTests {
    private static let alert = #""alert":{"title":{"loc-key":"k","loc-args":["a"]},"body":"b","sound":"default"}"#
    private static let start =
        #""timestamp":1800000000,"event":"start","attributes-type":"A","attributes":{},"content-state":{}"#
    private static let update = #""timestamp":1800000000,"event":"update","content-state":{}"#
    private static let end = #""timestamp":1800000000,"event":"end""#

    private func flags(_ aps: String...) -> Flags? {
        let body = #"{"aps":{\#(aps.joined(separator: ","))}}"#
        return Array(body.utf8).withUnsafeBytes { PayloadCheck($0, type: .liveactivity)?.flags }
    }

    @Test func wholePushesAreFine() {
        #expect(flags(Self.start, Self.alert, #""input-push-token":1"#) == [])
        #expect(flags(Self.start, Self.alert, #""input-push-channel":"Zm9v""#) == [])
        #expect(flags(Self.update, Self.alert, #""relevance-score":100,"stale-date":1800000001"#) == [])
        #expect(flags(Self.end, #""dismissal-date":0"#) == [])
        #expect(flags(Self.end, #""dismissal-date":1800014400"#) == [])
    }

    @Test func timestampAndEventAreNeeded() {
        #expect(flags() == [.liveActivityWithoutTimestamp, .liveActivityWithoutEvent])
        #expect(flags(#""timestamp":1800000000,"event":"stop""#) == .liveActivityWithoutEvent)
        #expect(flags(#""timestamp":1800000000000,"event":"end""#) == .outOfRange)
        #expect(flags(#""event":"end""#) == .liveActivityWithoutTimestamp)
    }

    @Test func startIsWhole() {
        #expect(flags(Self.start) == .incompleteStart)
        #expect(flags(Self.alert, #""timestamp":1800000000,"event":"start""#) == .incompleteStart)
        #expect(flags(Self.start, #""alert":{"title":""}"#) == .incompleteStart)
        #expect(
            flags(Self.start, Self.alert, #""input-push-token":1,"input-push-channel":"Zm9v""#) == .twoInputs)
    }

    @Test func eachEventHasItsKeys() {
        #expect(flags(#""timestamp":1800000000,"event":"update""#) == .updateWithoutState)
        #expect(flags(Self.update, #""attributes":{}"#) == .keyOfOtherEvent)
        #expect(flags(Self.update, #""dismissal-date":1800000000"#) == .keyOfOtherEvent)
        #expect(flags(Self.end, #""input-push-token":1"#) == .keyOfOtherEvent)
    }

    @Test func timesFitTogether() {
        #expect(flags(Self.update, #""stale-date":1800000000"#) == .staleAtOnce)
        #expect(flags(Self.end, #""dismissal-date":1800014401"#) == .dismissedLate)
    }

    @Test func alertHasItsOwnForm() {
        #expect(flags(Self.update, #""alert":"a""#) == .wrongAlertForm)
        #expect(flags(Self.update, #""alert":{"title":"t","subtitle":"s"}"#) == .wrongAlertForm)
        #expect(flags(Self.update, Self.alert, #""sound":"default""#) == .wrongAlertForm)
        #expect(flags(Self.update, #""alert":{"title":{"loc-args":[]},"body":"b"}"#) == .argumentsWithoutKey)
        #expect(flags(Self.update, #""alert":{"title":{"loc-key":1},"body":"b"}"#) == .wrongKind)
    }

    @Test func contentIsADictionary() {
        #expect(flags(#""timestamp":1800000000,"event":"update","content-state":"x""#) == .wrongKind)
    }

    @Test func phoneIgnoresUpdatesAfterTheEndAndOlderOnes() {
        var table = ActivityTable()
        func note(_ event: ActivityPush.Event, _ timestamp: Double?, token: UInt64 = 1) -> Flags {
            table.note(ActivityPush(event: event, timestamp: timestamp), tokenHash: token)
        }

        #expect(note(.update, 10) == [])
        #expect(note(.update, 10) == [])
        #expect(note(.update, 9) == .olderTimestamp)
        #expect(note(.update, nil) == [])
        #expect(note(.end, 11) == [])
        #expect(note(.end, 11) == [])
        #expect(note(.update, 12) == .updateAfterEnd)
        #expect(note(.update, 1, token: 2) == [])
        #expect(note(.start, 5) == [])
        #expect(note(.update, 6) == [])
    }

    @Test func recordTellsOfUpdatesAfterTheEnd() {
        let record = Record()
        func note(_ event: ActivityPush.Event, _ timestamp: Double, isAccepted: Bool = true) {
            var check = Check()
            check.tokenHash = 1
            check.activity = ActivityPush(event: event, timestamp: timestamp)
            record.note(
                Record.Request(
                    check: check, status: 200, reason: nil, isAccepted: isAccepted, isDisturbed: false, openStreams: 1,
                    providerTokens: 1))
        }

        note(.end, 10, isAccepted: false)
        note(.update, 10)
        #expect(record.flags == [])
        note(.end, 11)
        note(.update, 10)
        #expect(record.flags == [.updateAfterEnd, .olderTimestamp])
        #expect(record.count(of: .updateAfterEnd) == 1)
    }
}
