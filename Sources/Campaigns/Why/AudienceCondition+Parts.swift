extension AudienceCondition {
    /// A condition and its depth.
    public typealias Part = (depth: Int, condition: AudienceCondition)

    /// The condition itself and all within it, in reading order, up to a number.
    public func parts(limit: Int) -> [Part] {
        var parts: [Part] = []
        collect(into: &parts, depth: 0, limit: limit)
        return parts
    }

    private func collect(into parts: inout [Part], depth: Int, limit: Int) {
        guard parts.count < limit else { return }
        parts.append((depth, self))
        switch self {
        case .all(let conditions), .any(let conditions):
            guard conditions.count > 1 else { break }
            for condition in conditions { condition.collect(into: &parts, depth: depth + 1, limit: limit) }
        case .not(let condition):
            if case .all = condition { condition.collect(into: &parts, depth: depth + 1, limit: limit) }
            if case .any = condition { condition.collect(into: &parts, depth: depth + 1, limit: limit) }
        case .field, .attribute, .tag, .optedOut, .userIDs, .segment, .event, .outcome, .customEvent: break
        }
    }

    /// As a line of a list in which its parts are indented: a group says only how they are combined.
    public var heading: String {
        switch self {
        case .all(let conditions) where conditions.count > 1: "all of"
        case .any(let conditions) where conditions.count > 1: "any of"
        case .not(.all), .not(.any): "not"
        case .all, .any, .not, .field, .attribute, .tag, .optedOut, .userIDs, .segment, .event, .outcome, .customEvent:
            summary
        }
    }
}
