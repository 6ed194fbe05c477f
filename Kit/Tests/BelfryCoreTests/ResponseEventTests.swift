import BelfryCore
import Foundation
import Testing

struct ResponseEventTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let push = Push(userInfo: ["i": "m"])

    @Test(
        arguments: [
            (ResponseEvent.defaultAction, nil, "opened", nil), (ResponseEvent.dismissAction, nil, "dismissed", nil),
            ("buy", nil, "action", "buy"), ("reply", "Hi", "text", "reply"), ("reply", "", "action", "reply"),
        ] as [(String, String?, String, String?)])
    func responseIsItsEvent(action: String, text: String?, kind: String, name: String?) {
        let event = ResponseEvent(push: push, requestID: "r", action: action, text: text, at: now).event
        #expect(event?.kind.rawValue == kind)
        #expect(event?.action == name)
        #expect(event?.text == (kind == "text" ? text : nil))
        #expect(event?.messageID == "m")
    }

    @Test func bothCallbacksOfATapHaveOneKeyAndOtherActionsAnother() {
        let scene = ResponseEvent(push: push, requestID: "r", action: "buy", at: now)
        let delegate = ResponseEvent(push: push, requestID: "r", action: "buy", at: now + 1)
        #expect(scene.key == delegate.key)
        #expect(ResponseEvent(push: push, requestID: "r", action: "sell", at: now).key != scene.key)
        // Pushes with one collapse ID share the identifier of their request.
        let next = ResponseEvent(push: Push(userInfo: ["i": "m2"]), requestID: "r", action: "buy", at: now)
        #expect(next.key != scene.key)
    }

    @Test func foreignPushHasNoEvent() {
        let foreign = Push(userInfo: ["gcm.message_id": "1"])
        #expect(ResponseEvent(push: foreign, requestID: "r", action: "buy", at: now).event == nil)
    }
}
