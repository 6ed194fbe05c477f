public import Campaigns
import Postgres

/// Events that devices have reported about a run's pushes. Each device counts once. A device that reported nothing may
/// still have received the push.
public struct RunResponses: Hashable, Sendable {
    /// Devices that showed the push. Each event proves that it was shown.
    public let delivered: Int
    public let opened: Int
    /// Devices that reported an event of a push that Apple rejected, or that was not sent. They are not counted above.
    public let unexpected: Int

    public init(delivered: Int, opened: Int, unexpected: Int = 0) {
        self.delivered = delivered
        self.opened = opened
        self.unexpected = unexpected
    }
}

extension RunStore {
    /// Deadline of the count; a run with ten million devices takes one or two seconds.
    static let responsesDeadline = Duration.seconds(10)

    /// Counts the events of a run: one or two per device, at about 0.5 µs each. Too slow for every progress update.
    ///
    /// `flat` copies the outcomes of a batch once; otherwise PostgreSQL would unpack them again for each byte.
    public func responses(_ run: Run.ID) async throws -> RunResponses {
        let rows = try await pool.query(
            """
            WITH reports AS MATERIALIZED (
                SELECT e.device_id, bool_or(e.kind = \(EventKind.opened)) AS is_opened
                FROM runs r JOIN events e ON e.app_id = r.app_id AND e.message_number = r.message_number
                WHERE r.id = \(run)
                GROUP BY e.device_id
            ), unsent AS (
                SELECT r.device_id
                FROM batches b
                CROSS JOIN LATERAL (SELECT b.outcomes || ''::bytea AS flat OFFSET 0) AS o
                CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (device_id, number)
                WHERE b.run_id = \(run) AND b.rejected + b.suppressed + b.expired + b.cancelled > 0
                    AND outcome_code(get_byte(o.flat, r.number::integer - 1)) = ANY (ARRAY(
                        SELECT code FROM outcome_codes
                        WHERE kind IN ('rejected', 'suppressed', 'expired', 'cancelled')))
                    AND EXISTS (SELECT FROM reports)
            )
            SELECT count(*) FILTER (WHERE u.device_id IS NULL),
                count(*) FILTER (WHERE u.device_id IS NULL AND p.is_opened),
                count(*) FILTER (WHERE u.device_id IS NOT NULL)
            FROM reports p LEFT JOIN unsent u ON u.device_id = p.device_id
            """, deadline: Self.responsesDeadline)
        return RunResponses(delivered: try rows[0][0], opened: try rows[0][1], unexpected: try rows[0][2])
    }
}
