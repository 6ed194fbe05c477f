import Foundation
import Testing

@testable import APNSSimulator

struct PayloadCheckTests {
    private func flags(_ aps: String, _ type: PushType = .alert) -> PushWarnings? {
        flags(body: #"{"aps":{\#(aps)}}"#, type)
    }

    private func flags(body: String, _ type: PushType = .alert) -> PushWarnings? {
        Array(body.utf8).withUnsafeBytes { PayloadCheck($0, type: type)?.flags }
    }

    private func fixture(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("NotificationsTests/Fixtures")
        return String(decoding: try Data(contentsOf: folder.appendingPathComponent("\(name).json")), as: UTF8.self)
    }

    @Test(arguments: ["acknowledged", "alert-string-custom-keys", "basic", "localized", "rich-attachment", "silent"])
    func payloadsOfRealAppsHaveNoFlags(_ name: String) throws {
        #expect(try flags(body: fixture(name), name == "silent" ? .background : .alert) == [])
    }

    @Test func stringBadgeOfARealAppIsFlagged() throws {
        #expect(try flags(body: fixture("legacy-string-badge")) == .stringBadge)
    }

    @Test(arguments: [
        #""alert":1"#, #""alert":null"#, #""alert":{"title":1}"#, #""alert":{"loc-key":"k","loc-args":"a"}"#,
        #""badge":true"#, #""badge":null"#, #""sound":1"#, #""sound":{"name":1}"#, #""thread-id":1"#,
        #""category":[]"#, #""content-available":true"#, #""content-available":"1""#, #""mutable-content":"1""#,
        #""relevance-score":"1""#, #""filter-criteria":{}"#, #""interruption-level":2"#, #""url-args":"a""#,
    ])
    func wrongValueTypesAreFlagged(_ member: String) {
        #expect(flags(#""alert":"a","x":0,\#(member)"#)?.contains(.wrongValueType) == true)
    }

    @Test(
        arguments: [
            (#""badge":-1"#, PushWarnings.outOfRange), (#""badge":1.5"#, .outOfRange), (#""badge":2.0"#, []),
            (#""badge":"2""#, .stringBadge), (#""content-available":2"#, .outOfRange), (#""content-available":0"#, []),
            (#""relevance-score":1.01"#, .outOfRange), (#""relevance-score":1"#, []),
            (#""relevance-score":1e999"#, .outOfRange),
            (#""sound":{"name":"a","critical":1,"volume":1.1}"#, .outOfRange),
            (#""sound":{"name":"a","critical":1,"volume":1}"#, []), (#""sound":{"critical":1}"#, .incompleteSound),
            (#""sound":{"name":"a","volume":1}"#, .incompleteSound), (#""interruption-level":"time-sensitive""#, []),
            (#""interruption-level":"time-senstive""#, .unknownInterruptionLevel), (#""thread_id":"t""#, .unknownKey),
            (#""sound":{"name":"a","x":1}"#, .unknownKey), (#""badge":1,"badge":2"#, .repeatedKey),
            (#""url-args":["a"]"#, []), (#""event":"start""#, .unexpectedLiveActivityKey),
            (#""content-changed":true"#, .unexpectedContentChanged), (#""mutable-content":1"#, []),
        ] as [(String, PushWarnings)])
    func membersOfApsAreChecked(_ member: String, _ expected: PushWarnings) {
        #expect(flags(#""alert":"a",\#(member)"#) == expected)
    }

    @Test(
        arguments: [
            (#"{"title":"t","x":1}"#, PushWarnings.unknownKey),
            (#"{"body":"b","sound":"s"}"#, .unexpectedLiveActivityKey),
            (#"{"body":{"loc-key":"k"}}"#, .wrongAlertFormat), (#"{"loc-key":"k","loc-args":["a"]}"#, []),
            (#"{"body":"b","loc-args":["a"]}"#, .argumentsWithoutKey), (#"{"body":"b","body":"c"}"#, .repeatedKey),
            (#"{"body":"b","action-loc-key":null,"summary-arg-count":1}"#, []), (#"{}"#, .emptyAlert),
            (#"{"title":"","launch-image":"l"}"#, .emptyAlert), (#""""#, .emptyAlert),
        ] as [(String, PushWarnings)])
    func alertMembersAreChecked(_ alert: String, _ expected: PushWarnings) {
        #expect(flags(#""alert":\#(alert)"#) == expected)
    }

    @Test func emptyAlertPushesAreFlagged() {
        #expect(flags(#""content-available":1"#) == .emptyAlert)
        #expect(flags(#""badge":0"#) == [])
        #expect(flags(#""sound":"default""#) == [])
        #expect(flags(#""badge":1,"mutable-content":1"#) == .mutableWithoutText)
        #expect(flags(body: "{}") == .missingAps)
        #expect(flags(body: #"{"aps":[]}"#) == [.missingAps, .wrongValueType])
    }

    @Test func backgroundPushesMustNotShowAnAlert() {
        #expect(flags(#""content-available":1"#, .background) == [])
        #expect(flags("", .background) == .backgroundWithoutContentAvailable)
        #expect(flags(#""content-available":1,"badge":0"#, .background) == .backgroundWithAlert)
    }

    @Test func appleKeysOutsideApsAreFlagged() {
        #expect(flags(body: #"{"aps":{"alert":"a"},"badge":1}"#) == .appleKeyOutsideAps)
        #expect(flags(body: #"{"aps":{"alert":"a"},"thread-id":"t"}"#) == .appleKeyOutsideAps)
        #expect(flags(body: #"{"aps":{"alert":"a"},"event":"e","timestamp":1,"attributes":{},"title":"t"}"#) == [])
        #expect(
            flags(body: #"{"aps":{"timestamp":1,"event":"end"},"event":"e"}"#, .liveactivity) == .appleKeyOutsideAps)
    }

    @Test(arguments: [PushType.widgets, .controls])
    func widgetPushesRequireContentChanged(_ type: PushType) {
        #expect(flags(#""content-changed":true"#, type) == [])
        #expect(flags("", type) == .widgetWithoutContentChanged)
        #expect(flags(#""content-changed":false"#, type) == .widgetWithoutContentChanged)
        #expect(flags(#""content-changed":1"#, type) == [.widgetWithoutContentChanged, .wrongValueType])
        #expect(flags(#""content-changed":true,"alert":"a""#, type) == .notShown)
        #expect(flags(body: "{}", type) == .missingAps)
    }

    @Test(arguments: [PushType.location, .voip, .complication, .pushtotalk])
    func pushesToTheAppNeedNoAps(_ type: PushType) {
        #expect(flags(body: #"{"call":"x"}"#, type) == [])
        #expect(flags(#""alert":"a""#, type) == .notShown)
    }

    @Test func mdmAndFileProviderPushesRequireTheirKey() {
        #expect(flags(body: #"{"mdm":"magic"}"#, .mdm) == [])
        #expect(flags(body: "{}", .mdm) == .missingRequiredKey)
        #expect(flags(body: #"{"container-identifier":"c","domain":"d"}"#, .fileprovider) == [])
        #expect(flags(body: #"{"container-identifier":1}"#, .fileprovider) == .missingRequiredKey)
    }

    @Test func everyFlagHasAName() {
        for bit in 0..<PushWarnings.bitCount {
            #expect(PushWarnings(rawValue: 1 << UInt64(bit)).description.count > "[]".count)
        }
        #expect(PushWarnings(rawValue: 1 << UInt64(PushWarnings.bitCount)).description == "[]")
        #expect(PushWarnings([.stringBadge, .outOfOrderTimestamp]).description == "[stringBadge, outOfOrderTimestamp]")
        #expect(PushWarnings.wrongAlertFormat.description == "[wrongAlertFormat]")
    }
}
