import BelfryCore
import Foundation
import Testing

struct PushTests {
    @Test func stringAlertIsTheBody() {
        let push = Push(userInfo: ["aps": ["alert": "Hello"], "i": "m1"])
        #expect(push.alert?.body == "Hello")
        #expect(push.alert?.title == nil)
        #expect(push.messageID == "m1")
    }

    @Test func dictionaryAlertHasItsParts() throws {
        let json = #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B","loc-key":"K","loc-args":["a",1]}}}"#
        let push = try Push(userInfo: decode(json))
        #expect(push.alert?.title == "T")
        #expect(push.alert?.subtitle == "S")
        #expect(push.alert?.body == "B")
        #expect(push.alert?.localizationKey == "K")
        #expect(push.alert?.localizationArguments == ["a"])
    }

    // Absent leaves the badge as it is and 0 clears it, so the two must not be confused.
    @Test(
        arguments: [
            (#"{}"#, nil), (#"{"badge":0}"#, 0), (#"{"badge":7}"#, 7), (#"{"badge":"2"}"#, nil),
            (#"{"badge":null}"#, nil), (#"{"badge":true}"#, nil), (#"{"badge":-1}"#, nil), (#"{"badge":[1]}"#, nil),
        ] as [(String, Int?)])
    func badgeIsAbsentZeroOrNumber(aps: String, badge: Int?) throws {
        #expect(try Push(userInfo: decode(#"{"aps":\#(aps)}"#)).badge == badge)
    }

    @Test func silentPushHasNoAlertAndNoBadge() throws {
        let push = try Push(userInfo: decode(#"{"aps":{"content-available":1},"i":"m"}"#))
        #expect(push.isContentAvailable)
        #expect(push.alert == nil)
        #expect(push.badge == nil)
    }

    @Test func numericMessageIDKeepsEveryDigit() throws {
        #expect(try Push(userInfo: decode(#"{"i":11153971268435968}"#)).messageID == "11153971268435968")
    }

    @Test(arguments: [#"{}"#, #"{"i":null}"#, #"{"i":""}"#, #"{"i":true}"#, #"{"i":{}}"#])
    func pushWithoutUsableIDIsForeign(json: String) throws {
        #expect(try Push(userInfo: decode(json)).messageID == nil)
    }

    @Test func messageIDKeyIsConfigurable() {
        let push = Push(userInfo: ["i": "app's own", "mid": "m"], keys: PayloadKeys(messageID: "mid"))
        #expect(push.messageID == "m")
        #expect(push.custom == ["i": .string("app's own")])
    }

    @Test func bothAttachmentStylesAndConfiguredKeysAreRead() {
        let url = "https://example.com/a.png"
        let typed = Push(userInfo: ["attachment-url": url, "attachment-type": "image"])
        #expect(typed.attachment?.url.absoluteString == url)
        #expect(typed.attachment?.type == "image")
        #expect(Push(userInfo: ["attachment-image": url]).attachment?.url.absoluteString == url)
        let keys = PayloadKeys(attachmentURLs: ["attach-url"], attachmentType: "attach-type")
        #expect(Push(userInfo: ["attach-url": url, "attach-type": "video"], keys: keys).attachment?.type == "video")
    }

    @Test(arguments: ["file:///etc/passwd", "", "a b", "https:", "/relative"])
    func attachmentNeedsAWebAddress(address: String) {
        #expect(Push(userInfo: ["attachment-url": address]).attachment == nil)
    }

    @Test func unknownMembersAreKept() throws {
        let push = try Push(userInfo: decode(#"{"aps":{"new":1},"a":{"b":[true,1,1.5,null]}}"#))
        #expect(push.aps == ["new": .integer(1)])
        #expect(push.custom == ["a": .object(["b": .array([.bool(true), .integer(1), .number(1.5), .null])])])
    }

    // NSNull in typed members and deep nesting have crashed other kits.
    @Test func randomPayloadsNeverCrash() {
        var random = SplitMix(state: 7)
        for _ in 0..<5_000 {
            var info: [AnyHashable: Any] = [7: "not a string key"]
            for key in ["aps", "i", "attachment-url", "attachment-type", "x"] { info[key] = random.value(depth: 5) }
            info["aps"] = Bool.random(using: &random) ? random.aps() : info["aps"]
            let push = Push(userInfo: info)
            #expect(push == push)
        }
    }

    @Test func deepNestingIsCut() {
        var value: Any = "end"
        for _ in 0..<1_000 { value = [value] }
        var level = Push(userInfo: ["deep": value]).custom["deep"]
        var depth = 0
        while case .array(let items) = level {
            level = items.first
            depth += 1
        }
        #expect(depth == JSONValue.maximumDepth - 1)
        #expect(level == .null)
    }

    private func decode(_ json: String) throws -> [AnyHashable: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }
}

/// A generator with a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func value(depth: Int) -> Any {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &self) {
        case 0: NSNull()
        case 1: Bool.random(using: &self)
        case 2: Int.random(in: .min ... .max, using: &self)
        case 3: [Double.nan, .infinity, -0.5, 1e300].randomElement(using: &self) ?? 0
        case 4: ["", "2", "https://e.com/\u{0}", "💥"].randomElement(using: &self) ?? ""
        case 5: Date(timeIntervalSince1970: 0)
        case 6: Data([0, 255])
        case 7: UInt64.max
        case 8: (0..<3).map { _ in value(depth: depth - 1) }
        default: ["a": value(depth: depth - 1), "title": value(depth: depth - 1)] as [String: Any]
        }
    }

    mutating func aps() -> [String: Any] {
        var aps: [String: Any] = [:]
        for key in ["alert", "badge", "category", "content-available", "thread-id"] { aps[key] = value(depth: 3) }
        return aps
    }
}
