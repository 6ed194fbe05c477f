public import Campaigns
import Postgres

/// Events that devices have reported about a run's pushes. Each device counts once. A device that reported nothing may
/// still have received the push.
public struct RunResponses: Hashable, Sendable {
    public let delivered: Int
    public let opened: Int

    public init(delivered: Int, opened: Int) {
        self.delivered = delivered
        self.opened = opened
    }
}

extension RunStore {
    /// Deadline of the count; a run with ten million devices takes one or two seconds.
    static let responsesDeadline = Duration.seconds(10)

    /// Counts the events of a run: one or two per device, at about 0.15 µs each. Too slow for every progress update.
    public func responses(_ run: Run.ID) async throws -> RunResponses {
        let rows = try await pool.query(
            """
            SELECT count(*) FILTER (WHERE e.kind = \(EventKind.delivered)),
                count(*) FILTER (WHERE e.kind = \(EventKind.opened))
            FROM runs r JOIN events e ON e.app_id = r.app_id AND e.message_number = r.message_number
            WHERE r.id = \(run) AND e.kind IN (\(EventKind.delivered), \(EventKind.opened))
            """, deadline: Self.responsesDeadline)
        return RunResponses(delivered: try rows[0][0], opened: try rows[0][1])
    }
}
