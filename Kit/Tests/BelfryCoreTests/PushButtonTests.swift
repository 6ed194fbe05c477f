import Foundation
import Testing

@testable import BelfryCore

@Suite struct PushButtonTests {
    private static func push(_ json: String, aps: String = "{}") throws -> Push {
        let text = #"{"aps": \#(aps), "i": "m", "belfry-buttons": \#(json)}"#
        let members = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return Push(userInfo: try #require(members))
    }

    @Test func buttonsAreReadInTheirOrder() throws {
        let push = try Self.push(
            #"[{"id": "remind", "title": "Remind me", "link": "bells://remind", "later": 1},"#
                + #" {"id": "shop", "title": "🎟", "link": "https://e.com/a?b=c", "destructive": false},"#
                + #" {"id": "no", "title": "Not now", "destructive": true, "link": null}]"#)
        #expect(push.buttons.map(\.id) == ["remind", "shop", "no"])
        #expect(push.buttons.map(\.title) == ["Remind me", "🎟", "Not now"])
        #expect(push.buttons.map { $0.link?.absoluteString } == ["bells://remind", "https://e.com/a?b=c", nil])
        #expect(push.buttons.map(\.isDestructive) == [false, false, true])
        #expect(push.readButtons().fault == nil)
    }

    @Test func linkIsThatOfThePressedButton() throws {
        let push = try Self.push(
            #"[{"id": "a", "title": "A", "link": "bells://a"}, {"id": "b", "title": "B"}]"#)
        #expect(push.link(for: "a") == URL(string: "bells://a"))
        for action in ["b", "c", "", ResponseEvent.defaultAction, ResponseEvent.dismissAction] {
            #expect(push.link(for: action) == nil)
        }
    }

    @Test func pushWithoutButtonsHasNoFault() {
        let push = Push(userInfo: ["aps": ["alert": "A"]])
        #expect(push.buttons.isEmpty && push.readButtons().fault == nil)
    }

    @Test(arguments: [
        "[]", "{}", "null", "7", #""a""#, "[null]", "[[]]", #"["remind"]"#,
        #"[{"id": "a"}]"#, #"[{"title": "A"}]"#, #"[{"id": "", "title": "A"}]"#, #"[{"id": "a", "title": ""}]"#,
        #"[{"id": 1, "title": "A"}]"#, #"[{"id": "a", "title": 1}]"#,
        #"[{"id": "\#(String(repeating: "a", count: 65))", "title": "A"}]"#,
        #"[{"id": "a", "title": "A"}, {"id": "a", "title": "B"}]"#, #"[{"id": "a", "title": "A"}, {"id": "b"}]"#,
        #"[{"id": "a", "title": "A", "link": ""}]"#, #"[{"id": "a", "title": "A", "link": "remind"}]"#,
        #"[{"id": "a", "title": "A", "link": 1}]"#, #"[{"id": "a", "title": "A", "destructive": "yes"}]"#,
        #"[{"id": "1", "title": "A"}, {"id": "2", "title": "A"}, {"id": "3", "title": "A"}, {"id": "4", "title": "A"},"#
            + #" {"id": "5", "title": "A"}]"#,
    ])
    func wrongShapeIsNoButtonAtAll(json: String) throws {
        let push = try Self.push(json)
        #expect(push.buttons.isEmpty && push.readButtons().fault?.kind == .unreadable)
    }

    @Test func fourButtonsAndAnIDOfSixtyFourCharactersAreRead() throws {
        let ids = [String(repeating: "é", count: 64), "2", "3", "4"]
        let buttons = ids.map { #"{"id": "\#($0)", "title": "A"}"# }
        #expect(try Self.push("[\(buttons.joined(separator: ", "))]").buttons.map(\.id) == ids)
    }

    @Test func categoryOfThePayloadWins() throws {
        let buttons = #"[{"id": "a", "title": "A", "link": "bells://a"}]"#
        let push = try Self.push(buttons, aps: #"{"category": "order"}"#)
        #expect(push.buttons.isEmpty && push.link(for: "a") == nil && push.readButtons().fault?.kind == .warning)
        #expect(try Self.push(buttons, aps: #"{"category": ""}"#).buttons.count == 1)
    }
}
