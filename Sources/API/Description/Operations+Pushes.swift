import HTTPTypes
import Store

extension Operation {
    static let pushes = [
        Operation(
            method: .post, path: "/v1/apps/{app}/pushes", id: "sendPushes",
            summary: "Send at once, to people, installations or tokens", tag: "Pushes", access: .secret(.pushesSend),
            parameters: ["idempotencyKey"], body: "PushNew", status: 202, answer: "PushTaken",
            otherAnswers: [(200, "PushNotTaken")]),
        Operation(
            method: .get, path: "/v1/apps/{app}/pushes/{push}", id: "getPushes",
            summary: "What became of a request, or of one message", tag: "Pushes", access: .secret(.pushesSend),
            answer: "PushReport"),
    ]
}
