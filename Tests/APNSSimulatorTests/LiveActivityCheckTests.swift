import Testing

@testable import APNSSimulator

struct LiveActivityCheckTests {
    private static let alert = #""alert":{"title":{"loc-key":"k","loc-args":["a"]},"body":"b","sound":"default"}"#
    private static let start =
        #""timestamp":1800000000,"event":"start","attributes-type":"A","attributes":{},"content-state":{}"#
    private static let update = #""timestamp":1800000000,"event":"update","content-state":{}"#
    private static let end = #""timestamp":1800000000,"event":"end""#

    private func flags(_ aps: String...) -> PushWarnings? {
        let body = #"{"aps":{\#(aps.joined(separator: ","))}}"#
        return Array(body.utf8).withUnsafeBytes { PayloadCheck($0, type: .liveactivity)?.flags }
    }

    @Test func completePushesHaveNoFlags() {
        #expect(flags(Self.start, Self.alert, #""input-push-token":1"#) == [])
        #expect(flags(Self.start, Self.alert, #""input-push-channel":"Zm9v""#) == [])
        #expect(flags(Self.update, Self.alert, #""relevance-score":100,"stale-date":1800000001"#) == [])
        #expect(flags(Self.end, #""dismissal-date":0"#) == [])
        #expect(flags(Self.end, #""dismissal-date":1800014400"#) == [])
    }

    @Test func timestampAndEventAreRequired() {
        #expect(flags() == [.liveActivityWithoutTimestamp, .liveActivityWithoutEvent])
        #expect(flags(#""timestamp":1800000000,"event":"stop""#) == .liveActivityWithoutEvent)
        #expect(flags(#""timestamp":1800000000000,"event":"end""#) == .outOfRange)
        #expect(flags(#""event":"end""#) == .liveActivityWithoutTimestamp)
    }

    @Test func incompleteStartIsFlagged() {
        #expect(flags(Self.start) == .incompleteStart)
        #expect(flags(Self.alert, #""timestamp":1800000000,"event":"start""#) == .incompleteStart)
        #expect(flags(Self.start, #""alert":{"title":""}"#) == .incompleteStart)
        #expect(
            flags(Self.start, Self.alert, #""input-push-token":1,"input-push-channel":"Zm9v""#) == .conflictingInputs)
    }

    @Test func keysOfOtherEventsAreFlagged() {
        #expect(flags(#""timestamp":1800000000,"event":"update""#) == .updateWithoutState)
        #expect(flags(Self.update, #""attributes":{}"#) == .keyNotAllowedForEvent)
        #expect(flags(Self.update, #""dismissal-date":1800000000"#) == .keyNotAllowedForEvent)
        #expect(flags(Self.end, #""input-push-token":1"#) == .keyNotAllowedForEvent)
    }

    @Test func inconsistentTimesAreFlagged() {
        #expect(flags(Self.update, #""stale-date":1800000000"#) == .alreadyStale)
        #expect(flags(Self.end, #""dismissal-date":1800014401"#) == .dismissalTooLate)
    }

    @Test func wrongAlertFormatIsFlagged() {
        #expect(flags(Self.update, #""alert":"a""#) == .wrongAlertFormat)
        #expect(flags(Self.update, #""alert":{"title":"t","subtitle":"s"}"#) == .wrongAlertFormat)
        #expect(flags(Self.update, Self.alert, #""sound":"default""#) == .wrongAlertFormat)
        #expect(flags(Self.update, #""alert":{"title":{"loc-args":[]},"body":"b"}"#) == .argumentsWithoutKey)
        #expect(flags(Self.update, #""alert":{"title":{"loc-key":1},"body":"b"}"#) == .wrongValueType)
    }

    @Test func contentStateMustBeADictionary() {
        #expect(flags(#""timestamp":1800000000,"event":"update","content-state":"x""#) == .wrongValueType)
    }

    @Test func updatesAfterTheEndAndOlderUpdatesAreFlagged() {
        var table = ActivityTable()
        func note(_ event: ActivityPush.Event, _ timestamp: Double?, token: UInt64 = 1) -> PushWarnings {
            table.note(ActivityPush(event: event, timestamp: timestamp), tokenHash: token)
        }

        #expect(note(.update, 10) == [])
        #expect(note(.update, 10) == [])
        #expect(note(.update, 9) == .outOfOrderTimestamp)
        #expect(note(.update, nil) == [])
        #expect(note(.end, 11) == [])
        #expect(note(.end, 11) == [])
        #expect(note(.update, 12) == .updateAfterEnd)
        #expect(note(.update, 1, token: 2) == [])
        #expect(note(.start, 5) == [])
        #expect(note(.update, 6) == [])
    }

    @Test func recordFlagsUpdatesAfterTheEnd() {
        let record = Record()
        func note(_ event: ActivityPush.Event, _ timestamp: Double, isAccepted: Bool = true) {
            var check = RequestCheck()
            check.tokenHash = 1
            check.activity = ActivityPush(event: event, timestamp: timestamp)
            record.note(
                Record.Request(
                    check: check, status: 200, reason: nil, isAccepted: isAccepted, hasFault: false, openStreams: 1,
                    providerTokens: 1))
        }

        note(.end, 10, isAccepted: false)
        note(.update, 10)
        #expect(record.flags == [])
        note(.end, 11)
        note(.update, 10)
        #expect(record.flags == [.updateAfterEnd, .outOfOrderTimestamp])
        #expect(record.count(of: .updateAfterEnd) == 1)
    }
}
