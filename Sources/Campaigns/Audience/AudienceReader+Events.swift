import JSON
import Notifications

/// What devices told about pushes.
extension AudienceReader {
    private typealias Companion = AudienceCondition.Companion

    mutating func event(_ json: JSON, _ members: [JSON.Member], at path: String) -> AudienceCondition? {
        let kinds = EventKind.allCases.map(\.name)
        let place = ProblemPath.member(AudienceCondition.Kind.event.rawValue, of: path)
        var event: AudienceEvent?
        if case .string(let name) = json, let kind = EventKind(name: name) {
            event = AudienceEvent(kind)
        } else {
            refuse(place, "unknown-event", "must be \(kinds.inWords), not \(json.summary)")
        }
        for member in members {
            let place = ProblemPath.member(member.key, of: path)
            switch member.key {
            case Companion.campaign: event?.campaign = id(member.value, at: place, of: "campaign")
            case Companion.withinDays:
                event?.withinDays = whole(member.value, at: place, in: 1...AudienceEvent.maximumDays)
            case Companion.action:
                let length = 1...AudienceEvent.maximumActionLength
                event?.action = text(member.value, at: place, length: length)
                if let kind = event?.kind, kind != .action, kind != .text {
                    refuse(place, "not-allowed", "must not be there: only action and text come from a button")
                }
            default: break
            }
        }
        let keys = members.map(\.key)
        if !keys.contains(Companion.campaign), !keys.contains(Companion.withinDays) {
            refuse(
                ProblemPath.member(Companion.withinDays, of: path), "missing",
                "is required where no campaign is named: 1 to \(AudienceEvent.maximumDays) days")
        }
        return event.map { .event($0) }
    }
}
