public import Campaigns
import JSON
import Notifications
import Postgres

extension SegmentStore {
    /// With the conditions of its segments as they are now. Archived ones are used like others: what begins to use them
    /// was refused before. Throws `Problems` by the audience's paths: a segment that is missing, too many conditions.
    func resolve(_ audience: Audience, app: App.ID) async throws -> ResolvedAudience {
        try ResolvedAudience(audience, segments: try await segments(below: audience, app: app))
    }

    /// The same for one that is the member `audience` of something, of a campaign or a segment: problems have its paths.
    public func resolve(member audience: Audience, app: App.ID) async throws -> ResolvedAudience {
        do {
            return try await resolve(audience, app: app)
        } catch let error as Problems {
            throw Problems(error.problems.map { $0.inside("audience") })
        }
    }

    /// All that an audience leads to, as deep as segments may stand in one another.
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
