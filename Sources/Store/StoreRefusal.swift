public import Campaigns

/// What a request can name.
public enum Resource: String, Hashable, Sendable {
    case app, credential, key, campaign, run, device, topic
    case category, plan, media, template, segment, push
    /// A template's.
    case version
}

/// What the store will not do, and why: expected, and meant for the person who asked.
public enum StoreRefusal: Error, Equatable, Sendable {
    /// There is none, or it is another app's.
    case notFound(Resource)
    /// Someone has changed it since it was read.
    case versionConflict(current: Int)
    case bundleIDTaken
    /// A template or campaign of this name uses the key in its payload.
    case messageIDKeyTaken(by: String)
    case keyIDTaken
    case unknownTimeZone
    /// Deleting the app would take the ledger of a run that is not over.
    case appIsSending
    /// A campaign without a schedule cannot be scheduled, nor lose it while it is.
    case noSchedule
    /// To start by hand what has a rule would end the rule.
    case repeats
    /// The same for what is triggered.
    case waitsForCalls
    /// All of a schedule lies in the past.
    case schedulePast
    case idempotencyKeyInUse
    /// Only what is armed for it is triggered.
    case notTriggered
    case runIsOver
    /// A draft that was sent once, before it was unscheduled or refused.
    case hasRuns
    case nobodyMatches
    case noCredential
    /// What is scheduled or under way stays in the lists.
    case campaignIsActive(CampaignState)
    /// There is nothing left to foretell.
    case hasBegun(CampaignState)
    /// A campaign that was started is part of the ledger.
    case notADraft(CampaignState)
    case topicKeyTaken
    case tooManyTopics
    /// Campaigns carry the topic.
    case topicInUse
    /// A campaign names a topic that the app does not have.
    case unknownTopic
    case categoryIdentifierTaken
    /// The app has as many of them as it may.
    case tooMany(Resource, limit: Int)
    /// A version of this template names it.
    case mediaInUse(template: String)
    /// It is to be taken out of the archive first.
    case templateArchived
    case segmentArchived
    case campaignArchived
    /// Segments or campaigns use it.
    case segmentInUse
    /// A constraint of the schema that nobody has put into words yet; its name.
    case constraint(String)
}

extension StoreRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let resource): "There is no such \(resource.rawValue)."
        case .versionConflict(let current):
            "Someone else has changed it in the meantime; it is at version \(current) now. Read it again first."
        case .messageIDKeyTaken(let content):
            "The payload of “\(content)” has this key already, and the message id would stand there a second time."
        case .bundleIDTaken: "Another app has this bundle id already."
        case .keyIDTaken: "The app has a credential with this key id already; delete that one first."
        case .unknownTimeZone: "This is not a time zone that is known here; it looks like Europe/Berlin."
        case .appIsSending:
            "A campaign of this app, or a push to single devices, is being sent. Cancel it first, or wait until it is over."
        case .noSchedule: "Say when: a campaign that is scheduled needs a schedule."
        case .repeats:
            "A campaign that repeats starts by its schedule: schedule it. To send it now as well, make a copy, take the "
                + "schedule out of that, and start it."
        case .waitsForCalls:
            "A campaign whose schedule is of the kind “triggered” starts with each call: schedule it, and then trigger it."
        case .schedulePast: "All of this schedule lies in the past. To send now, start the campaign."
        case .notTriggered:
            "Only a campaign whose schedule is of the kind “triggered”, and that is scheduled, can be triggered."
        case .idempotencyKeyInUse:
            "Another request with another body was sent under this Idempotency-Key. A repetition is sent with the same "
                + "bytes; a new request needs a new key."
        case .nobodyMatches: "Nobody matches the audience, so there is nothing to send."
        case .hasBegun(let state):
            "A forecast looks at what is still to start, and this campaign is \(state.rawValue)."
        case .noCredential:
            "The app has no APNs key (.p8). Add one under its credentials; without it Apple takes nothing."
        case .hasRuns: "This campaign was sent before, and what was sent stays on record. Archive it instead."
        case .runIsOver: "The run is over: there is nothing to change any more."
        case .campaignIsActive(let state):
            "A campaign that is \(state.rawValue) stays in the lists. "
                + (state == .scheduled ? "Unschedule it first." : "Cancel it first, or wait until it is over.")
        case .notADraft(let state):
            "Only a draft can be deleted, and this campaign is \(state.rawValue)"
                + (state == .scheduled ? ": unschedule it first." : ": what was sent stays on record.")
        case .topicKeyTaken: "The app has a topic with this key already."
        case .tooManyTopics: "An app has at most \(TopicStore.maximumCount) topics."
        case .topicInUse: "Campaigns carry this topic, and their reports name it, so it stays."
        case .unknownTopic: "The app has no such topic."
        case .categoryIdentifierTaken: "The app has a category with this identifier already."
        case .tooMany(.plan, let limit):
            "An app has at most \(limit) plans that are not archived: a phone keeps no more than 64 notifications of all."
        case .tooMany(let resource, let limit): "An app has at most \(limit) of this kind: \(resource.rawValue)."
        case .mediaInUse(let template):
            "The template “\(template)” shows it, and what a template has shown can always be shown, so it stays."
        case .templateArchived: "The template is archived. Take it out of the archive first, or duplicate it."
        case .segmentArchived: "The segment is archived. Take it out of the archive first."
        case .campaignArchived: "The campaign is archived. Take it out of the archive first, or make a copy."
        case .segmentInUse: "Segments or campaigns use this segment, so it stays. Archive it to have it out of the way."
        case .constraint(let name): "The database refused it by the rule \(name)."
        }
    }
}
