public import Campaigns
public import Postgres

/// The segments that a segment or campaign uses. Stored in the same transaction as its audience.
public enum SegmentReferences {
    public enum User: Hashable, Sendable {
        case segment(Segment.ID)
        case campaign(Campaign.ID)
    }

    /// The constraint that prevents the deletion of used segments.
    static let constraint = "segment_uses_app_id_segment_id_fkey"

    /// Replaces the references in one statement. A segment of another app violates the constraint, which
    /// `mappingConstraintErrors` maps to `notFound(.segment)`.
    public static func replace(of user: User, app: App.ID, with audience: Audience) -> PostgresQuery {
        let used = audience.segments.sorted().map(\.rawValue)
        let column: PostgresQuery
        let id: Int64
        switch user {
        case .segment(let segment): (column, id) = ("by_segment_id", segment.rawValue)
        case .campaign(let campaign): (column, id) = ("by_campaign_id", campaign.rawValue)
        }
        return """
            WITH deleted AS (
                DELETE FROM segment_uses
                WHERE app_id = \(app) AND \(column) = \(id) AND segment_id <> ALL (\(used))
            )
            INSERT INTO segment_uses (app_id, \(column), segment_id)
            SELECT \(app), \(id), unnest(\(used))
            ON CONFLICT DO NOTHING
            """
    }
}

/// A use of a segment.
public struct SegmentUse: Hashable, Sendable {
    public let user: SegmentReferences.User
    public let name: String
}

extension SegmentStore {
    /// The segments and campaigns that use it directly, oldest first.
    public func usedBy(_ id: Segment.ID, app: App.ID, limit: Int) async throws -> [SegmentUse] {
        let rows = try await pool.query(
            """
            SELECT u.by_segment_id, u.by_campaign_id, coalesce(s.name, c.name)
            FROM segment_uses u
            LEFT JOIN segments s ON s.app_id = u.app_id AND s.id = u.by_segment_id
            LEFT JOIN campaigns c ON c.app_id = u.app_id AND c.id = u.by_campaign_id
            WHERE u.app_id = \(app) AND u.segment_id = \(id)
            ORDER BY u.by_segment_id, u.by_campaign_id LIMIT \(limit)
            """)
        return try rows.compactMap { row in
            if let segment = try row[0, as: Segment.ID?.self] {
                return SegmentUse(user: .segment(segment), name: try row[2])
            }
            return try row[1, as: Campaign.ID?.self].map { SegmentUse(user: .campaign($0), name: try row[2]) }
        }
    }
}
