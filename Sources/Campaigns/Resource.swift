/// A kind of resource that a request can name. The raw value is part of error codes: `device-not-found`.
public enum Resource: String, Hashable, Sendable {
    case app, credential, key, campaign, approval, run, device, topic
    case tagChange = "tag-change"
    case customEvent = "custom-event"
    case person, category, plan, media, template, segment, push, user, session, reply, webhook, delivery
    /// Of a template.
    case version

    /// In a sentence.
    var noun: String {
        switch self {
        case .tagChange: "change of tags"
        case .customEvent: "custom event of this name"
        default: rawValue
        }
    }

    public var plural: String {
        switch self {
        case .category: "categories"
        case .reply: "replies"
        case .delivery: "deliveries"
        case .person: "people"
        default: rawValue + "s"
        }
    }
}
