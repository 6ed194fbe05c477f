public import Campaigns
import Postgres

extension RunStore {
    /// Deadline of the count; a run with ten million devices takes one or two seconds.
    static let unexpectedDeadline = Duration.seconds(10)

    /// Counts the devices that reported an event of a push that Apple rejected, or that was not sent; nil if recipients
    /// or events were deleted since. Too slow for every progress update.
    ///
    /// `flat` copies the outcomes of a batch once; otherwise PostgreSQL would unpack them again for each byte.
    public func unexpectedReports(_ run: Run.Key) async throws -> Int? {
        let rows = try await pool.query(
            """
            WITH reports AS MATERIALIZED (
                SELECT e.device_id
                FROM run_variants m JOIN events e ON e.app_id = m.app_id AND e.message_number = m.message_number
                WHERE m.app_id = \(run.app) AND m.run_id = \(run.id) AND e.kind = \(EventKind.delivered)
            ), unsent AS (
                SELECT r.device_id
                FROM batches b
                CROSS JOIN LATERAL (SELECT b.outcomes || ''::bytea AS flat OFFSET 0) AS o
                CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (device_id, number)
                WHERE b.app_id = \(run.app) AND b.run_id = \(run.id)
                    AND b.rejected + b.suppressed + b.expired + b.cancelled > 0
                    AND outcome_code(get_byte(o.flat, r.number::integer - 1)) = ANY (ARRAY(
                        SELECT code FROM outcome_codes
                        WHERE kind IN ('rejected', 'suppressed', 'expired', 'cancelled')))
                    AND EXISTS (SELECT FROM reports)
            )
            SELECT CASE WHEN NOT coalesce(
                r.recipients_deleted_at IS NOT NULL OR r.started_at < now() - make_interval(days => a.event_days), false
            ) THEN (SELECT count(*) FROM reports p JOIN unsent u ON u.device_id = p.device_id) END
            FROM runs r JOIN apps a ON a.id = r.app_id
            WHERE r.app_id = \(run.app) AND r.id = \(run.id)
            """, deadline: Self.unexpectedDeadline)
        return try rows.first?[0]
    }
}
