import JSON
import Notifications

/// Replaces references to segments in an audience by the conditions of the segments.
struct SegmentInliner {
    private let segments: [Segment.ID: Audience]
    private(set) var problems: [Problem] = []
    /// Segments that were inlined before, by nesting level, so that each is resolved once and its memory is shared.
    private var known: [CacheKey: Inlined] = [:]

    private struct CacheKey: Hashable {
        let segment: Segment.ID
        let nesting: Int
    }

    private struct Inlined {
        /// Nil where there is a problem.
        let condition: AudienceCondition?
        let size: AudienceSize
        var fault: Fault?
    }

    private enum Fault {
        case missing, tooDeep
    }

    init(segments: [Segment.ID: Audience]) {
        self.segments = segments
    }

    /// Problems have paths in this audience, even if the fault is in a segment of a segment.
    mutating func inline(_ audience: Audience) -> (audience: Audience, size: AudienceSize) {
        let include = audience.include.map { inlined($0, 0) }
        let exclude = audience.exclude.map { inlined($0, 0) }
        for (path, reference) in audience.references {
            guard case .segment(let id) = reference,
                let fault = known[CacheKey(segment: id, nesting: 1)]?.fault
            else { continue }
            switch fault {
            case .missing:
                problems.append(.error(path, "unknown-segment", "must be an existing segment of this app"))
            case .tooDeep:
                problems.append(
                    .error(
                        path, "segments-too-deep",
                        "must not nest segments more than \(ResolvedAudience.maximumNesting) levels deep"))
            }
        }
        var size = include?.size ?? AudienceSize()
        if let exclude { size.add(exclude.size) }
        return (Audience(include: include?.condition, exclude: exclude?.condition), size)
    }

    private mutating func inlined(_ condition: AudienceCondition, _ nesting: Int) -> Inlined {
        switch condition {
        case .all(let conditions): return group(conditions, nesting) { .all($0) }
        case .any(let conditions): return group(conditions, nesting) { .any($0) }
        case .not(let inner):
            let inlined = inlined(inner, nesting)
            return Inlined(
                condition: inlined.condition.map { .not($0) }, size: inlined.size.enclosed, fault: inlined.fault)
        case .segment(let id): return inlined(id, nesting + 1)
        case .userIDs(let ids):
            return Inlined(condition: condition, size: AudienceSize(conditions: 1, depth: 1, userIDs: ids.count))
        case .field, .attribute, .tag, .optedOut, .event, .outcome, .customEvent:
            return Inlined(condition: condition, size: AudienceSize(conditions: 1, depth: 1))
        }
    }

    private mutating func group(
        _ conditions: [AudienceCondition], _ nesting: Int, _ make: ([AudienceCondition]) -> AudienceCondition
    ) -> Inlined {
        let all = conditions.map { inlined($0, nesting) }
        var size = AudienceSize()
        for inlined in all { size.add(inlined.size) }
        let found = all.compactMap(\.condition)
        return Inlined(
            condition: found.count == all.count ? make(found) : nil, size: size.enclosed,
            fault: all.lazy.compactMap(\.fault).first)
    }

    private mutating func inlined(_ id: Segment.ID, _ nesting: Int) -> Inlined {
        let key = CacheKey(segment: id, nesting: nesting)
        if let inlined = known[key] { return inlined }
        let inlined =
            if nesting > ResolvedAudience.maximumNesting {
                Inlined(condition: nil, size: AudienceSize(), fault: .tooDeep)
            } else if let condition = segments[id]?.condition {
                self.inlined(condition, nesting)
            } else {
                Inlined(condition: nil, size: AudienceSize(), fault: .missing)
            }
        known[key] = inlined
        return inlined
    }
}
