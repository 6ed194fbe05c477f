import Campaigns
import HTTPTypes
import JSON
import Notifications
import Store

extension Operation {
    static let pushes = [
        Operation(
            method: .post, path: "/v1/apps/{app}/pushes", id: "sendPushes",
            summary: "Send pushes immediately to people, installations or tokens", tag: "Pushes",
            access: .secret(.pushesSend),
            parameters: ["idempotencyKey"], body: "PushNew", status: 202, answer: "PushAccepted",
            otherAnswers: [(200, "PushNotSent")], problemExamples: pushProblems),
        Operation(
            method: .get, path: "/v1/apps/{app}/pushes/{push}", id: "getPushes",
            summary: "Outcomes of a request, or of one message", tag: "Pushes", access: .secret(.pushesSend),
            answer: "PushReport"),
    ]

    static let idempotencyProblems: [(status: Int, name: String, example: JSON)] = [
        (
            400, "key",
            problem(
                400, "invalid-idempotency-key", "The Idempotency-Key must be 1 to 255 printable ASCII characters.",
                field: "Idempotency-Key")
        ),
        (
            422, "keyInUse",
            problem(
                422, "idempotency-key-in-use",
                Refusal.idempotencyKeyInUse.description, field: "Idempotency-Key")
        ),
    ]

    private static let pushProblems: [(status: Int, name: String, example: JSON)] =
        idempotencyProblems + [
            (
                422, "body",
                problem(
                    422, "invalid-body", "tokens[1] must occur only once.", field: "tokens[1]",
                    problems: [
                        [
                            "path": "tokens[1]", "code": "duplicate", "message": "must occur only once",
                            "severity": "error",
                        ]
                    ])
            ),
            (
                422, "tooManyDevices",
                problem(
                    422, "too-many-devices",
                    "The targets have more than 1000 devices in total. Send to fewer targets per request.",
                    field: "user_ids")
            ),
        ]

    private static func problem(
        _ status: Int, _ code: String, _ detail: String, field: String, problems: [JSON] = []
    ) -> JSON {
        let title: JSON = status == 400 ? "Bad Request" : "Unprocessable Content"
        var members: [JSON.Member] = [
            JSON.Member("type", "about:blank"), JSON.Member("title", title), JSON.Member("status", .count(status)),
            JSON.Member("code", .string(code)), JSON.Member("detail", .string(detail)),
            JSON.Member("field", .string(field)),
        ]
        if !problems.isEmpty { members.append(JSON.Member("problems", .array(problems))) }
        return .object(members)
    }
}
