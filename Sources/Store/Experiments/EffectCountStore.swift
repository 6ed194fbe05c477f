import Campaigns
public import Postgres

/// Counts the people of campaigns with a control group, from time to time until the time of all of them has passed.
public struct EffectCountStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The newest counts; nil before the first.
    public func counts(of campaign: CampaignRecord) async throws -> EffectCounts? {
        let rows = try await pool.query(
            """
            SELECT counted_at, decides_at, count_next_at IS NULL, treated, treated_converted, control, control_converted,
                treated_amount, treated_amount_squares, treated_amount_uncapped, treated_capped,
                control_amount, control_amount_squares, control_amount_uncapped, control_capped, value_cap
            FROM effect_counts WHERE app_id = \(campaign.app) AND campaign_id = \(campaign.id)
            """)
        return try rows.first.map {
            EffectCounts(
                goal: campaign.content.goal, countedAt: try $0[0], decidesAt: try $0[1], isFinal: try $0[2],
                isOpenEnded: campaign.content.schedule?.isRepeated ?? false, treated: try $0[3],
                treatedConverted: try $0[4], control: try $0[5], controlConverted: try $0[6],
                treatedAmounts: Amounts(
                    sum: try $0[7], squares: try $0[8], uncapped: try $0[9], capped: try $0[10]),
                controlAmounts: Amounts(
                    sum: try $0[11], squares: try $0[12], uncapped: try $0[13], capped: try $0[14]),
                cap: try $0[15])
        }
    }

    /// Counts the campaign that has waited longest. Returns 1, or 0 when none is due or another process is counting.
    public func countStep() async throws -> Int {
        try await pool.alone(.effectCounts) { connection in
            guard let due = try await connection.query(Self.due).first else { return 0 }
            let campaign = try CampaignRecord(due)
            let sending = try await connection.query(Self.sending(of: campaign))[0]
            let decidesAt: Timestamp? = try sending[1]
            // Recipients who were deleted by the retention can't be counted again: the last count stays.
            if try sending[0] {
                try await connection.execute(
                    """
                    INSERT INTO effect_counts (
                        app_id, campaign_id, treated, treated_converted, control, control_converted)
                    VALUES (\(campaign.app), \(campaign.id), 0, 0, 0, 0)
                    ON CONFLICT (app_id, campaign_id) DO UPDATE SET count_next_at = NULL
                    """)
            } else {
                try await connection.execute(EffectPeopleQuery(campaign: campaign).upsert(decidesAt: decidesAt))
            }
            return 1
        }
    }

    private static let due: PostgresQuery = """
        SELECT \(CampaignRecord.columns) FROM campaigns
        WHERE (app_id, id) = (
            SELECT c.app_id, c.id
            FROM campaigns c LEFT JOIN effect_counts t ON t.app_id = c.app_id AND t.campaign_id = c.id
            WHERE c.control_share IS NOT NULL AND (t.campaign_id IS NULL OR t.count_next_at <= now())
                AND EXISTS (SELECT FROM runs r WHERE r.app_id = c.app_id AND r.campaign_id = c.id)
            ORDER BY t.count_next_at NULLS FIRST LIMIT 1)
        """

    /// Whether recipients were deleted, and when everybody's time has passed.
    private static func sending(of campaign: CampaignRecord) -> PostgresQuery {
        """
        SELECT coalesce(bool_or(b.size > 0 AND b.recipients = '{}'), false),
            CASE WHEN \(CountTimes.isOver(campaign))
                THEN coalesce(max(b.due_at), now()) + make_interval(secs => \(Double(campaign.content.goal.seconds))) END
        FROM runs r LEFT JOIN batches b ON b.app_id = r.app_id AND b.run_id = r.id
        WHERE r.app_id = \(campaign.app) AND r.campaign_id = \(campaign.id)
        """
    }
}
