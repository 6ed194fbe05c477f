public import Campaigns
import Postgres

/// The campaigns that statistics are restricted to or grouped by.
extension StatisticsStore {
    /// Throws for IDs of campaigns that the app does not have: zeros would look like a campaign that nobody got.
    public func check(_ campaigns: [Campaign.ID]?, app: App.ID) async throws {
        guard let campaigns else { return }
        let missing = try await pool.query(
            """
            SELECT u.id FROM unnest(\(campaigns.map(\.rawValue))) WITH ORDINALITY AS u (id, place)
            WHERE NOT EXISTS (SELECT FROM campaigns c WHERE c.app_id = \(app) AND c.id = u.id)
            ORDER BY u.place
            """)
        guard missing.isEmpty else { throw Refusal.campaignsNotFound(try missing.map { try $0[0] }) }
    }

    /// Names by ID as text.
    public func campaignNames(app: App.ID) async throws -> [String: String] {
        let rows = try await pool.query("SELECT id::text, name FROM campaigns WHERE app_id = \(app)")
        return try Dictionary(rows.map { (try $0[0], try $0[1]) }) { first, _ in first }
    }
}
