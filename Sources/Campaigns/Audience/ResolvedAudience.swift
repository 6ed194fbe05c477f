public import JSON
import Notifications

/// An audience with the conditions of its segments in their place. A run keeps this, so that what somebody edits
/// afterwards changes nothing for it.
public struct ResolvedAudience: Hashable, Sendable {
    /// Without segments.
    public let audience: Audience

    public static let maximumConditions = 2_000
    /// Well below what JSON is read to, where a group is two levels.
    public static let maximumDepth = 24
    public static let maximumUserIDs = 50_000
    /// Segments in one another.
    public static let maximumNesting = 4

    public static let everybody = ResolvedAudience(verified: .everybody)

    private init(verified audience: Audience) {
        self.audience = audience
    }

    /// Reads what `json` has written.
    public init(json: JSON) throws(Problems) {
        audience = try Audience(json: json, AudienceReader(limits: .resolved))
    }

    public var json: JSON { audience.json }

    /// `segments` has all that the audience leads to; one that is not there is a problem, like what has grown too large.
    public init(_ audience: Audience, segments: [Segment.ID: Audience]) throws(Problems) {
        var inliner = SegmentInliner(segments: segments)
        let inlined = inliner.inline(audience)
        var problems = inliner.problems
        if problems.isEmpty { problems = inlined.size.problems }
        guard problems.isEmpty else { throw Problems(problems) }
        self.audience = inlined.audience
    }

    /// Those of these people who are in it; nil is everybody in it. What gets too large so is a problem of "user_ids".
    public func narrowed(to userIDs: [String]?) throws(Problems) -> ResolvedAudience {
        guard let userIDs else { return self }
        let people = AudienceCondition.userIDs(userIDs)
        var narrowed = audience
        narrowed.include = audience.include.map { .all([people, $0]) } ?? people
        do {
            return try ResolvedAudience(narrowed, segments: [:])
        } catch {
            throw Problems(error.problems.map { $0.inside("user_ids") })
        }
    }
}

/// How large an audience has become. Counted on the way: the segments of segments grow by their product.
struct AudienceSize: Equatable {
    var conditions = 0
    var depth = 0
    var userIDs = 0

    /// Clamped, so that nothing overflows.
    static let most = 1 << 40

    mutating func add(_ other: AudienceSize) {
        conditions = min(Self.most, conditions + other.conditions)
        userIDs = min(Self.most, userIDs + other.userIDs)
        depth = max(depth, other.depth)
    }

    /// Of a group or the like around this.
    var enclosed: AudienceSize { AudienceSize(conditions: conditions + 1, depth: depth + 1, userIDs: userIDs) }

    var problems: [Problem] {
        let limits = AudienceReader.Limits.resolved
        let counted = [
            (conditions, limits.conditions, "too-many-conditions", "conditions"),
            (depth, limits.depth, "too-deep", "conditions in one another"),
            (userIDs, limits.userIDs, "too-many", "user ids"),
        ]
        return counted.filter { $0.0 > $0.1 }.map { count, limit, code, words in
            .error("", code, "with its segments the audience has more than \(limit) \(words)")
        }
    }
}
