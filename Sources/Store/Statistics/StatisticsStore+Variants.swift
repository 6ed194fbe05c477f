public import Campaigns
import Postgres

extension StatisticsStore {
    /// The counts by variant of an A/B test: the value is its place, from 0, and the name is that in the newest run. The
    /// scope should name a campaign or a run: every run is read.
    public func totalsByVariant(
        app: App.ID, _ scope: Scope
    ) async throws -> (groups: [(value: String, counts: Counts)], names: [String: String]) {
        let rows = try await pool.query(
            """
            SELECT m.variant, (array_agg(m.name ORDER BY m.run_id DESC))[1]
            FROM runs r JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
            WHERE r.app_id = \(app) AND (\(scope.run) IS NULL OR r.id = \(scope.run))
                AND (\(scope.campaigns == nil) OR r.campaign_id = ANY (\((scope.campaigns ?? []).map(\.rawValue))))
            GROUP BY 1 ORDER BY 1
            """)
        var groups: [(value: String, counts: Counts)] = []
        var names: [String: String] = [:]
        for row in rows {
            let place: Int = try row[0]
            guard scope.variant == nil || scope.variant == place else { continue }
            var scope = scope
            scope.variant = place
            names[place.description] = try row[1]
            groups.append((place.description, try await totals(app: app, scope, by: .total).first?.counts ?? Counts()))
        }
        return (groups, names)
    }
}
