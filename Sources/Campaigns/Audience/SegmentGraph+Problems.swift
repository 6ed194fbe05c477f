public import JSON
import Notifications

extension SegmentGraph {
    /// Problems of saving a segment with this audience: a cycle, or too many levels of nesting. `id` is nil for a new
    /// segment. Paths are relative to the audience.
    public func problems(saving id: Segment.ID?, _ audience: Audience) -> [Problem] {
        let above = id.map(depth(above:)) ?? 1
        return audience.references.compactMap { path, reference in
            guard case .segment(let used) = reference else { return nil }
            if let id, leads(from: used, to: id) {
                let message: Message =
                    used == id ? "must not be the segment itself" : "must not be a segment that uses this segment"
                return .error(path, "segment-cycle", message)
            }
            guard above + depth(below: used) <= ResolvedAudience.maximumNesting else {
                return .error(
                    path, "segments-too-deep",
                    "must not nest segments more than \(ResolvedAudience.maximumNesting) levels deep")
            }
            return nil
        }
    }
}
