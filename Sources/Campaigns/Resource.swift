/// A kind of resource that a request can name. The raw value is part of error codes: `device-not-found`.
public enum Resource: String, Hashable, Sendable {
    case app, credential, key, campaign, run, device, topic
    case tagChange = "tag-change"
    case person, category, plan, media, template, segment, push, user, session, reply
    /// Of a template.
    case version

    /// In a sentence.
    var noun: String { self == .tagChange ? "change of tags" : rawValue }

    public var plural: String {
        self == .category ? "categories" : self == .reply ? "replies" : self == .person ? "people" : rawValue + "s"
    }
}
