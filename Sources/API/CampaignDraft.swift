import Campaigns
import Notifications
import Postgres
import Store

/// A campaign's content while it is read and checked: everything is looked at before anything is refused.
struct CampaignDraft {
    private var name: String?
    private var payload: JSON?
    private var pushType: PushType? = .alert
    private var priority: Priority?
    private var expirationSeconds = 86_400
    private var collapseID: String?
    private var unknownPolicy: UnknownPolicy?
    private var topic: TopicKey?
    private var sendAt: Timestamp?

    init() {}

    init(_ content: CampaignContent) throws {
        name = content.name
        payload = try JSON(parsing: content.payload)
        pushType = content.pushType
        priority = content.priority
        expirationSeconds = content.expirationSeconds
        collapseID = content.collapseID?.text
        unknownPolicy = content.unknownPolicy
        topic = content.topic
        sendAt = content.sendAt
    }

    /// What the body holds replaces what is there; null clears where that means something.
    mutating func read(_ body: inout BodyReader) {
        name = body.text("name", length: 1...CampaignContent.maximumNameLength) ?? name
        payload = body.take("payload") ?? payload
        if body.has("push_type") { pushType = body.choice("push_type", among: PushType.allCases) }
        if body.takeNull("priority") { priority = nil }
        if let number = body.whole("priority", in: 1...10) {
            priority = Priority(rawValue: number)
            if priority == nil { body.refuse("priority", "not-allowed", "must be 10, 5 or 1, not \(number)") }
        }
        expirationSeconds =
            body.whole("expiration_seconds", in: 0...CampaignContent.maximumExpirationSeconds) ?? expirationSeconds
        if body.takeNull("collapse_id") { collapseID = nil }
        // Its rules are among the payload's.
        collapseID = body.text("collapse_id", length: 0...1_024) ?? collapseID
        if body.takeNull("unknown_policy") { unknownPolicy = nil }
        unknownPolicy = body.choice("unknown_policy", among: [UnknownPolicy.resend, .leave]) ?? unknownPolicy
        if body.takeNull("topic") { topic = nil }
        topic = body.value("topic") { (text) throws(InvalidValue) in try TopicKey(text) } ?? topic
        if body.takeNull("send_at") { sendAt = nil }
        sendAt = body.time("send_at") ?? sendAt
    }

    /// The content, if `body` and Apple's rules find nothing wrong.
    func content(_ body: inout BodyReader, messageIDKey: String) throws -> CampaignContent {
        let checked = check(&body, messageIDKey)
        try body.finish()
        guard let name, let payload, let pushType, let checked else { throw Refusal(problems: []) }
        return CampaignContent(
            name: name, payload: String(decoding: payload.encoded(), as: UTF8.self), pushType: pushType,
            priority: priority ?? pushType.defaultPriority, expirationSeconds: expirationSeconds,
            collapseID: checked.collapseID,
            // Only an alert is replaced on the screen by its second copy.
            unknownPolicy: unknownPolicy ?? (pushType == .alert ? .resend : .leave), topic: topic,
            sendAt: sendAt)
    }

    private func check(_ body: inout BodyReader, _ messageIDKey: String) -> (collapseID: CollapseID?, Void)? {
        guard let json = payload, let pushType else { return nil }
        let rules = PushRules(
            pushType: pushType, priority: priority, collapseID: collapseID, messageIDKey: messageIDKey)
        body.refuse(rules.problems(in: json).filter { $0.severity == .error }.map(\.ofCampaign))
        // What is wrong with it is among the rules' problems.
        return (try? collapseID.map { try CollapseID($0) }, ())
    }
}

extension Problem {
    /// The rules speak of payload and headers; a campaign has members.
    var ofCampaign: Problem {
        let path =
            switch path {
            case "": "payload"
            case "apns-priority": "priority"
            case "apns-expiration": "expiration_seconds"
            case "apns-collapse-id": "collapse_id"
            case let path where path.hasPrefix("["): "payload" + path
            default: "payload." + path
            }
        return Problem(path: path, code: code, message: message, severity: severity)
    }
}
