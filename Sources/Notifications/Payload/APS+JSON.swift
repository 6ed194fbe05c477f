import JSON

extension APS {
    enum Key: String, MemberName, CaseIterable {
        case alert
        case badge
        case sound
        case threadID = "thread-id"
        case category
        case contentAvailable = "content-available"
        case mutableContent = "mutable-content"
        case targetContentID = "target-content-id"
        case interruptionLevel = "interruption-level"
        case relevanceScore = "relevance-score"
        case filterCriteria = "filter-criteria"
        // Live Activities.
        case timestamp
        case event
        case contentState = "content-state"
        case attributesType = "attributes-type"
        case attributes
        case staleDate = "stale-date"
        case dismissalDate = "dismissal-date"
        case inputPushToken = "input-push-token"
        case inputPushChannel = "input-push-channel"
        // Widgets and controls.
        case contentChanged = "content-changed"
        // Safari's website pushes.
        case urlArgs = "url-args"

        var path: String { "\(Payload.Key.aps.rawValue).\(rawValue)" }
    }

    init(_ reader: inout ObjectReader) {
        alert = AlertContent(&reader)
        badge = reader.count(Key.badge)
        sound = Sound(&reader)
        threadID = reader.string(Key.threadID)
        category = reader.string(Key.category)
        contentAvailable = reader.flag(Key.contentAvailable)
        mutableContent = reader.flag(Key.mutableContent)
        targetContentID = reader.string(Key.targetContentID)
        interruptionLevel = reader.choice(Key.interruptionLevel)
        relevanceScore = reader.number(Key.relevanceScore)
        filterCriteria = reader.string(Key.filterCriteria)
        liveActivity = LiveActivity(&reader)
        contentChanged = reader.bool(Key.contentChanged)
        urlArgs = reader.strings(Key.urlArgs)
        other = reader.rest
        keyOrder = reader.keyOrder
    }

    var json: JSON { .object(keyOrder.arranged(typedMembers + other)) }

    /// The known keys that are present.
    var keys: [Key] { typedMembers.compactMap { Key(rawValue: $0.key) } }

    private var typedMembers: [JSON.Member] {
        var members: [JSON.Member] = []
        members.append(Key.alert, alert?.json)
        members.append(Key.badge, badge.map { .number(JSON.Number($0)) })
        members.append(Key.sound, sound?.json)
        members.append(Key.threadID, threadID.map { .string($0) })
        members.append(Key.category, category.map { .string($0) })
        members.append(Key.contentAvailable, contentAvailable.map { $0 ? 1 : 0 })
        members.append(Key.mutableContent, mutableContent.map { $0 ? 1 : 0 })
        members.append(Key.targetContentID, targetContentID.map { .string($0) })
        members.append(Key.interruptionLevel, interruptionLevel.map { .string($0.rawValue) })
        members.append(Key.relevanceScore, relevanceScore.map { .number($0) })
        members.append(Key.filterCriteria, filterCriteria.map { .string($0) })
        members += liveActivity.members
        members.append(Key.contentChanged, contentChanged.map { .bool($0) })
        members.append(Key.urlArgs, urlArgs.map { .texts($0) })
        return members
    }
}

extension APS.AlertContent {
    fileprivate init?(_ reader: inout ObjectReader) {
        switch reader.take(APS.Key.alert) {
        case nil: return nil
        case .string(let text): self = .text(text)
        case .object(let members): self = .dictionary(reader.object(APS.Key.alert, members) { Alert(&$0) })
        case .some(let value):
            reader.wrongType(APS.Key.alert, "text or an object", value)
            return nil
        }
    }

    fileprivate var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .dictionary(let alert): alert.json
        }
    }
}
