public import JSON
import Notifications

extension SegmentGraph {
    /// What is wrong with saving a segment so: a circle, or too many segments in one another. `id` is nil for one that
    /// is new. Paths are the audience's.
    public func problems(saving id: Segment.ID?, _ audience: Audience) -> [Problem] {
        let above = id.map(depth(above:)) ?? 1
        return audience.references.compactMap { path, reference in
            guard case .segment(let used) = reference else { return nil }
            if let id, leads(from: used, to: id) {
                let message =
                    used == id ? "must not be the segment itself" : "must not be a segment that uses this one"
                return .error(path, "segment-circle", message)
            }
            guard above + depth(below: used) <= ResolvedAudience.maximumNesting else {
                return .error(
                    path, "segments-too-deep",
                    "must not make more than \(ResolvedAudience.maximumNesting) segments in one another")
            }
            return nil
        }
    }
}
