public import JSON
import Notifications

/// An audience in which references to segments are replaced by their conditions. A run stores it, so that later edits
/// don't change the run.
public struct ResolvedAudience: Hashable, Sendable {
    /// Without segments.
    public let audience: Audience

    public static let maximumConditions = 2_000
    /// Well below the depth to which JSON is read, where a group takes two levels.
    public static let maximumDepth = 24
    public static let maximumUserIDs = 50_000
    /// Levels of nested segments.
    public static let maximumNesting = 4

    public static let everybody = ResolvedAudience(verified: .everybody)

    private init(verified audience: Audience) {
        self.audience = audience
    }

    /// Reads the output of `json`.
    public init(json: JSON) throws(Problems) {
        audience = try Audience(json: json, AudienceReader(limits: .resolved))
    }

    public var json: JSON { audience.json }

    /// `segments` contains all segments that the audience uses. A missing segment is a problem, and so is an audience
    /// that exceeds a limit.
    public init(_ audience: Audience, segments: [Segment.ID: Audience]) throws(Problems) {
        var inliner = SegmentInliner(segments: segments)
        let inlined = inliner.inline(audience)
        var problems = inliner.problems
        if problems.isEmpty { problems = inlined.size.problems }
        guard problems.isEmpty else { throw Problems(problems) }
        self.audience = inlined.audience
    }

    /// Limited to these users; nil is no limit. An audience that exceeds a limit by this is a problem of "user_ids".
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

/// The size of an audience, counted during inlining: nested segments multiply.
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

    /// The size of a group or negation around this.
    var enclosed: AudienceSize { AudienceSize(conditions: conditions + 1, depth: depth + 1, userIDs: userIDs) }

    var problems: [Problem] {
        let limits = AudienceReader.Limits.resolved
        let counted: [(count: Int, limit: Int, code: String, noun: Message)] = [
            (conditions, limits.conditions, "too-many-conditions", "conditions"),
            (depth, limits.depth, "too-deep", "levels of nested conditions"),
            (userIDs, limits.userIDs, "too-many", "user ids"),
        ]
        return counted.filter { $0.0 > $0.1 }.map { count, limit, code, noun in
            .error("", code, "with its segments, the audience has more than \(limit) \(noun)")
        }
    }
}
