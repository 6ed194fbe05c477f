extension APS {
    enum Key: String, CaseIterable {
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
        interruptionLevel = InterruptionLevel(&reader)
        relevanceScore = reader.number(Key.relevanceScore)
        filterCriteria = reader.string(Key.filterCriteria)
        other = reader.rest
    }

    var json: JSON {
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
        return .object(members + other)
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

extension APS.InterruptionLevel {
    fileprivate init?(_ reader: inout ObjectReader) {
        guard let text = reader.string(APS.Key.interruptionLevel) else { return nil }
        guard let level = Self(rawValue: text) else {
            reader.refuse(
                APS.Key.interruptionLevel.rawValue, "unknown-value",
                "must be passive, active, time-sensitive or critical, not \(JSON.string(text).words)")
            return nil
        }
        self = level
    }
}
