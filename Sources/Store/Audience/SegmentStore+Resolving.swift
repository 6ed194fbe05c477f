public import Campaigns
import JSON
import Notifications
import Postgres

extension SegmentStore {
    /// Replaces segments by their current conditions, also archived ones, since new uses of these were rejected before.
    /// Throws `Problems` with the audience's paths: a missing segment, or too many conditions.
    func resolve(_ audience: Audience, app: App.ID) async throws -> ResolvedAudience {
        try ResolvedAudience(audience, segments: try await segments(below: audience, app: app))
    }

    /// The same for the member `audience` of a campaign or a segment: paths of problems begin with the member.
    public func resolve(member audience: Audience, app: App.ID) async throws -> ResolvedAudience {
        do {
            return try await resolve(audience, app: app)
        } catch let error as Problems {
            throw Problems(error.problems.map { $0.inside("audience") })
        }
    }

    /// All segments that an audience uses, to the maximum depth of nesting.
    private func segments(below audience: Audience, app: App.ID) async throws -> [Segment.ID: Audience] {
        var found: [Segment.ID: Audience] = [:]
        var open = audience.segments
        for _ in 0..<ResolvedAudience.maximumNesting where !open.isEmpty {
            let rows = try await pool.query(
                """
                SELECT id, audience FROM segments
                WHERE app_id = \(app) AND id = ANY (\(open.map(\.rawValue)))
                """)
            var next: Set<Segment.ID> = []
            for row in rows {
                let audience = try Audience(json: JSON(parsing: try row[1, as: String.self]))
                found[try row[0]] = audience
                next.formUnion(audience.segments)
            }
            open = next.subtracting(found.keys)
        }
        return found
    }
}
