import Campaigns
import Postgres

/// Removes items from the messages to webhooks, those that wait and those in the log, when people or replies are
/// erased. A message that is left without items goes with them.
enum WebhookErasure {
    /// Items about the devices that meet a condition, which is built over an expression for the item, a jsonb object.
    ///
    /// Three statements without a transaction: each sees what the one before has waited for.
    static func erase(
        itemsOf devices: [Int64], app: App.ID, in pool: PostgresPool,
        where condition: (_ item: PostgresQuery) -> PostgresQuery
    ) async throws {
        guard !devices.isEmpty, try await hasWebhooks(app, in: pool) else { return }
        func isErased(_ item: PostgresQuery) -> PostgresQuery {
            "((\(item) ->> 'device_id')::bigint = ANY (\(devices)) AND \(condition(item)))"
        }
        // Waits for a process that is gathering these events. The next statement sees the messages that it has made.
        try await pool.execute(
            """
            DELETE FROM webhook_events
            WHERE app_id = \(app) AND kind = ANY (\(kinds.map(\.rawValue))) AND \(isErased("data"))
            """)
        let found: PostgresQuery = """
            SELECT d.app_id, d.webhook_id, d.id, ARRAY['data', l.name] AS list
            FROM webhook_deliveries d
            JOIN unnest(\(kinds.map(\.rawValue)), \(kinds.compactMap(\.listName))) AS l (kind, name) USING (kind)
            WHERE d.app_id = \(app) AND d.device_ids && \(devices)
            """
        try await pool.execute(
            """
            WITH found AS MATERIALIZED (\(found) ORDER BY d.webhook_id, d.id FOR NO KEY UPDATE OF d)
            UPDATE webhook_deliveries d
            SET body = jsonb_set(d.body::jsonb, f.list, coalesce((
                    SELECT jsonb_agg(item ORDER BY position)
                    FROM jsonb_array_elements(d.body::jsonb #> f.list) WITH ORDINALITY AS i (item, position)
                    WHERE \(isErased("item")) IS NOT TRUE
                ), '[]'))::text
            FROM found f WHERE d.app_id = f.app_id AND d.webhook_id = f.webhook_id AND d.id = f.id
            """)
        try await pool.execute(
            """
            DELETE FROM webhook_deliveries d USING (\(found)) AS f
            WHERE d.app_id = f.app_id AND d.webhook_id = f.webhook_id AND d.id = f.id
                AND d.body::jsonb #> f.list = '[]'
            """)
    }

    /// Without one there are no messages, and most erasures ask no more than this.
    private static func hasWebhooks(_ app: App.ID, in pool: PostgresPool) async throws -> Bool {
        try await pool.query("SELECT EXISTS (SELECT FROM webhooks WHERE app_id = \(app))")[0][0]
    }

    private static let kinds = Webhook.EventKind.allCases.filter { $0.listName != nil }
}
