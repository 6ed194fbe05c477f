import Campaigns
import Postgres

/// The facts about a run that an audience can ask for.
struct KnownRun {
    let campaign: Campaign.ID
    let variants: Int
    let hasRecipients: Bool
    let hasAcknowledgements: Bool

    /// Those of the app among these.
    static func read(_ ids: [Int64], app: App.ID, _ pool: PostgresPool) async throws -> [Run.ID: KnownRun] {
        guard !ids.isEmpty else { return [:] }
        let rows = try await pool.query(
            """
            SELECT r.id, r.campaign_id,
                (SELECT count(*) FROM run_variants m WHERE m.app_id = r.app_id AND m.run_id = r.id),
                r.recipients_deleted_at IS NULL, \(hasAcknowledgements)
            FROM runs r JOIN apps a ON a.id = r.app_id
            WHERE r.app_id = \(app) AND r.id = ANY (\(ids))
            """)
        return try Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (
                    try row[0],
                    KnownRun(
                        campaign: try row[1], variants: try row[2], hasRecipients: try row[3],
                        hasAcknowledgements: try row[4])
                )
            })
    }

    /// For a run `r` of an app `a`.
    static let hasAcknowledgements: PostgresQuery =
        "(a.event_days IS NULL OR r.started_at >= now() - make_interval(days => a.event_days))"
}
