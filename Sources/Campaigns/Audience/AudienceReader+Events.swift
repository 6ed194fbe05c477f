import JSON
import Notifications

/// Conditions about the events that devices reported.
extension AudienceReader {
    private typealias Companion = AudienceCondition.Companion

    mutating func event(_ json: JSON, _ members: [JSON.Member], at path: String) -> AudienceCondition? {
        let kinds = EventKind.allCases.map(\.name)
        let memberPath = ProblemPath.member(AudienceCondition.Kind.event.rawValue, of: path)
        var event: AudienceEvent?
        if case .string(let name) = json, let kind = EventKind(name: name) {
            event = AudienceEvent(kind)
        } else {
            refuse(memberPath, "unknown-event", "must be \(kinds.alternatives), not \(json.summary)")
        }
        for member in members {
            let memberPath = ProblemPath.member(member.key, of: path)
            switch member.key {
            case Companion.campaign: event?.campaign = id(member.value, at: memberPath, of: "campaign")
            case Companion.withinDays:
                event?.withinDays = whole(member.value, at: memberPath, in: 1...AudienceEvent.maximumDays)
            case Companion.action:
                let length = 1...AudienceEvent.maximumActionLength
                event?.action = composedText(member.value, at: memberPath, length: length)
                if let kind = event?.kind, !kind.hasAction {
                    refuse(memberPath, "not-allowed", "is allowed only with the events action, text and converted")
                }
            default: break
            }
        }
        let keys = members.map(\.key)
        if !keys.contains(Companion.campaign), !keys.contains(Companion.withinDays) {
            refuse(
                ProblemPath.member(Companion.withinDays, of: path), "missing",
                "is required without campaign: a whole number of days from 1 to \(AudienceEvent.maximumDays)")
        }
        return event.map { .event($0) }
    }
}
