public import Campaigns
import Postgres

/// What phones have told about a run's pushes. Each device counts once; who has told nothing may have got it all the
/// same.
public struct RunResponses: Hashable, Sendable {
    public let delivered: Int
    public let opened: Int

    public init(delivered: Int, opened: Int) {
        self.delivered = delivered
        self.opened = opened
    }
}

extension RunStore {
    /// Of the count; a run of ten million devices takes a second or two.
    static let responsesDeadline = Duration.seconds(10)

    /// Counts the events of a run, of which there may be one or two per device: some 0.15 µs each, so it is not for
    /// each look at a run.
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
