import JSON
import Notifications

/// Conditions about the events that devices reported.
extension AudienceReader {
    private typealias Companion = AudienceCondition.Companion

    mutating func event(_ json: JSON, _ members: [JSON.Member], at path: String) -> AudienceCondition? {
        let memberPath = ProblemPath.member(AudienceCondition.Kind.event.rawValue, of: path)
        var event = eventKind(json, at: memberPath).map { AudienceEvent($0) }
        for member in members {
            let memberPath = ProblemPath.member(member.key, of: path)
            switch member.key {
            case Companion.campaign: event?.campaign = id(member.value, at: memberPath, of: "campaign")
            case Companion.run: event?.run = id(member.value, at: memberPath, of: "run")
            case Companion.variant:
                event?.variant = whole(member.value, at: memberPath, in: AudienceEvent.variants)
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
        checkSending(members, at: path)
        let keys = members.map(\.key)
        if !keys.contains(Companion.campaign), !keys.contains(Companion.withinDays) {
            refuse(
                ProblemPath.member(Companion.withinDays, of: path), "missing",
                "is required without campaign: a whole number of days from 1 to \(AudienceEvent.maximumDays)")
        }
        return event.map { .event($0) }
    }
}
