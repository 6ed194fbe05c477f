import Campaigns
import Postgres

/// When the people of a campaign are counted: from time to time until everybody's time to reach the goal has passed. The
/// last count is kept, so that it is read as one look.
enum CountTimes {
    /// The shortest time between two counts, in seconds; and as a multiple of what the last one took.
    private static let shortestPause = 30.0
    private static let pausePerDuration = 100.0

    /// The next count after the one that this transaction makes; null: it is the last. `decidesAt` is when the time of all
    /// has passed; null: not known. A transaction's `now()` is its beginning, so what the count took is
    /// `clock_timestamp() - now()` at its end.
    static func next(decidesAt: PostgresQuery, isDeleted: Bool) -> PostgresQuery {
        """
        CASE WHEN NOT \(isDeleted) AND (\(decidesAt) > now()) IS NOT FALSE THEN least(
            \(decidesAt),
            clock_timestamp() + greatest(
                make_interval(secs => \(shortestPause)), (clock_timestamp() - now()) * \(pausePerDuration)))
        END
        """
    }

    /// Whether a campaign that was sent will be sent to nobody else; over its runs `r`.
    static func isOver(_ campaign: CampaignRecord) -> PostgresQuery {
        """
        bool_and(r.state IN ('finished', 'cancelled'))
            AND (SELECT state NOT IN ('scheduled', 'sending', 'paused') FROM campaigns
                WHERE app_id = \(campaign.app) AND id = \(campaign.id))
        """
    }
}
