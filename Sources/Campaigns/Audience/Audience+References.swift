public import JSON
import Notifications

/// Something an audience refers to that only the database can check.
public enum AudienceReference: Hashable, Sendable {
    /// The first name of the path.
    case attribute(String)
    case topic(TopicKey)
    case campaign(Campaign.ID)
    case segment(Segment.ID)
    case run(Run.ID, of: Campaign.ID)
    case variant(Int, of: Run.ID)
    /// The recipients of a run, which the retention deletes.
    case recipients(of: Run.ID)
    /// The events of a run, which the retention deletes, too.
    case acknowledgements(of: Run.ID)
    /// Of custom events.
    case eventName(String)
}

extension Audience {
    /// All references with their paths, in the order of the JSON.
    public var references: [(path: String, reference: AudienceReference)] {
        (include?.references(at: Key.include.rawValue) ?? []) + (exclude?.references(at: Key.exclude.rawValue) ?? [])
    }

    /// Parts of time zones that no name of a zone has, with their paths. Audiences from before may have them.
    public var unknownZones: [Problem] {
        (include?.unknownZones(at: Key.include.rawValue) ?? [])
            + (exclude?.unknownZones(at: Key.exclude.rawValue) ?? [])
    }

    /// Each once.
    public var segments: Set<Segment.ID> {
        Set(references.compactMap { if case .segment(let id) = $0.reference { id } else { nil } })
    }
}

extension AudienceCondition {
    /// The age in days of the oldest events of pushes that conditions with `within_days` are about; nil if there is none.
    public var oldestEventDays: Int? {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.compactMap(\.oldestEventDays).max()
        case .not(let condition): condition.oldestEventDays
        case .event(let event): event.withinDays
        case .field, .attribute, .tag, .optedOut, .userIDs, .segment, .outcome, .customEvent: nil
        }
    }
}

extension AudienceCondition {
    fileprivate func unknownZones(at path: String) -> [Problem] {
        func group(_ conditions: [AudienceCondition], _ kind: Kind) -> [Problem] {
            conditions.enumerated().flatMap { index, condition in
                condition.unknownZones(at: ProblemPath.element(index, of: ProblemPath.member(kind.rawValue, of: path)))
            }
        }
        switch self {
        case .all(let conditions): return group(conditions, .all)
        case .any(let conditions): return group(conditions, .any)
        case .not(let condition): return condition.unknownZones(at: ProblemPath.member(Kind.not.rawValue, of: path))
        case .field(.timeZone, .text(let test)) where !test.matchesAnyZone:
            return [
                .error(
                    ProblemPath.member(Companion.value, of: path), "unknown-time-zone",
                    "is no part of a time zone's name; names are like Europe/Berlin")
            ]
        case .field, .attribute, .tag, .optedOut, .userIDs, .segment, .event, .outcome, .customEvent: return []
        }
    }

    fileprivate func references(at path: String) -> [(path: String, reference: AudienceReference)] {
        func memberPath(_ key: String) -> String { ProblemPath.member(key, of: path) }
        func group(_ conditions: [AudienceCondition], _ kind: Kind) -> [(path: String, reference: AudienceReference)] {
            conditions.enumerated().flatMap { index, condition in
                condition.references(at: ProblemPath.element(index, of: memberPath(kind.rawValue)))
            }
        }
        func sending(
            _ run: Run.ID?, _ variant: Int?, _ campaign: Campaign.ID
        ) -> [(path: String, reference: AudienceReference)] {
            guard let run else { return [] }
            return [(memberPath(Companion.run), .run(run, of: campaign))]
                + (variant.map { [(memberPath(Companion.variant), .variant($0, of: run))] } ?? [])
        }
        switch self {
        case .all(let conditions): return group(conditions, .all)
        case .any(let conditions): return group(conditions, .any)
        case .not(let condition): return condition.references(at: memberPath(Kind.not.rawValue))
        case .attribute(let attribute, _):
            return attribute.names.prefix(1).map { (memberPath(Kind.attribute.rawValue), .attribute($0)) }
        case .optedOut(.topic(let topic)): return [(memberPath(Kind.optedOut.rawValue), .topic(topic))]
        case .segment(let id): return [(memberPath(Kind.segment.rawValue), .segment(id))]
        case .event(let event):
            guard let campaign = event.campaign else { return [] }
            return [(memberPath(Companion.campaign), .campaign(campaign))] + sending(event.run, event.variant, campaign)
        case .outcome(let outcome):
            var references = [(memberPath(Companion.campaign), AudienceReference.campaign(outcome.campaign))]
            references += sending(outcome.run, outcome.variant, outcome.campaign)
            guard let run = outcome.run else { return references }
            references.append((memberPath(Kind.outcome.rawValue), .recipients(of: run)))
            if outcome.without != nil { references.append((memberPath(Companion.without), .acknowledgements(of: run))) }
            return references
        case .customEvent(let event):
            return [(memberPath(Kind.eventName.rawValue), .eventName(event.name))]
        case .field, .tag, .optedOut(.all), .userIDs: return []
        }
    }
}

extension AudienceTest.TextTest {
    /// Whether a zone can pass the test, by any of its names.
    fileprivate var matchesAnyZone: Bool {
        func matches(_ isWanted: (String) -> Bool) -> Bool {
            ZoneName.all.contains { isWanted($0.lowercased()) } || !ZoneName.names(ofOtherNames: isWanted).isEmpty
        }
        return switch self {
        case .startsWith(let part): matches { $0.hasPrefix(part) }
        case .contains(let part): matches { $0.contains(part) }
        case .is, .isNot, .in, .notIn: true
        }
    }
}
