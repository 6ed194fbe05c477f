public import JSON

/// The response that a campaign aims at, named before it is sent. It decides an A/B test.
public enum CampaignGoal: Hashable, Sendable {
    /// The push was opened within a day.
    case opened
    /// The push was opened, an action pressed, or a reply sent within a day.
    case engaged
    /// A custom event with this name happened within three days.
    case event(String)
    /// The value of the custom events with this name within three days, for each person; those without count as 0.
    case value(String)

    /// The time that people have, from when the push is due, in seconds.
    public var seconds: Int {
        switch self {
        case .opened, .engaged: 86_400
        case .event, .value: 3 * 86_400
        }
    }

    public var eventName: String? {
        switch self {
        case .opened, .engaged: nil
        case .event(let name), .value(let name): name
        }
    }

    /// Whether people are compared by an amount instead of by whether they did something.
    public var isAmount: Bool { if case .value = self { true } else { false } }

    /// As it is stored, and in JSON.
    public var metric: String {
        switch self {
        case .opened: "opened"
        case .engaged: "engaged"
        case .event: "event"
        case .value: "value"
        }
    }

    /// Nil if there is no such metric, or the name does not belong to it.
    public init?(metric: String, eventName: String?) {
        switch (metric, eventName) {
        case ("opened", nil): self = .opened
        case ("engaged", nil): self = .engaged
        case ("event", let name?): self = .event(name)
        case ("value", let name?): self = .value(name)
        default: return nil
        }
    }
}

extension CampaignGoal {
    /// `{"metric": "engaged"}`, or `{"metric": "event", "event_name": "purchase"}`.
    public var json: JSON {
        var members = [JSON.Member("metric", .string(metric))]
        if let eventName { members.append(JSON.Member("event_name", .string(eventName))) }
        return .object(members)
    }
}

extension CampaignGoal {
    private enum Key: String, MemberName {
        case metric
        case eventName = "event_name"
    }

    private enum Metric: String, MemberName, CaseIterable { case opened, engaged, event, value }

    /// Throws all problems together.
    public init(json: JSON) throws(Problems) {
        self = try ObjectReader.document(json, named: "the goal") { CampaignGoal(&$0) }
    }

    private init(_ reader: inout ObjectReader) {
        reader.require(Key.metric)
        let metric: Metric? = reader.choice(Key.metric)
        switch metric {
        case .opened: self = .opened
        case .engaged, nil: self = .engaged
        case .event: self = .event(Self.name(&reader))
        case .value: self = .value(Self.name(&reader))
        }
        if metric == nil { reader.skipRest() }
    }

    private static func name(_ reader: inout ObjectReader) -> String {
        reader.require(Key.eventName)
        return reader.text(Key.eventName, length: 1...AudienceCustomEvent.maximumNameLength) ?? ""
    }
}
