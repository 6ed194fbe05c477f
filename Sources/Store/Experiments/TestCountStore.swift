import Campaigns
import Experiments
public import Postgres

/// Counts the people of A/B tests by variant, from time to time until the time of all of them has passed: the last count
/// is kept, so that a decision is taken once.
public struct TestCountStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The newest counts; nil before the first.
    public func counts(of campaign: CampaignRecord) async throws -> TestCounts? {
        guard let weights = campaign.comparedWeights else { return nil }
        let expected = try weights.map.cleanCounts
        let names = campaign.content.comparedNames
        let rows = try await pool.query(
            """
            SELECT c.counted_at, c.decides_at, c.count_next_at IS NULL, c.value_cap, p.variant, p.planned, p.people,
                p.opened, p.engaged, p.converted, p.mixed, p.amount, p.amount_squares, p.amount_uncapped, p.capped
            FROM test_counts c JOIN test_people p ON p.app_id = c.app_id AND p.campaign_id = c.campaign_id
            WHERE c.app_id = \(campaign.app) AND c.campaign_id = \(campaign.id)
            ORDER BY p.variant
            """)
        guard let first = rows.first else { return nil }
        return TestCounts(
            goal: campaign.content.goal, countedAt: try first[0], decidesAt: try first[1], isFinal: try first[2],
            isOpenEnded: campaign.content.isOpenEnded, cap: try first[3],
            variants: try rows.map { row in
                let place: Int = try row[4]
                return TestCounts.Variant(
                    place: place,
                    name: names.indices.contains(place) ? names[place] : "",
                    weight: expected.indices.contains(place) ? expected[place] : 0, planned: try row[5],
                    people: try row[6], opened: try row[7], engaged: try row[8], converted: try row[9],
                    amounts: Amounts(
                        sum: try row[11], squares: try row[12], uncapped: try row[13], capped: try row[14]),
                    mixed: try row[10])
            })
    }

    /// Counts the test that has waited longest. Returns 1, or 0 when none is due or another process is counting.
    public func countStep() async throws -> Int {
        try await pool.alone(.testCounts) { connection in
            guard let due = try await connection.query(Self.due).first else { return 0 }
            let campaign = try CampaignRecord(due)
            guard let weights = campaign.comparedWeights else { return 0 }
            let query = TestPeopleQuery(campaign: campaign, map: try weights.map)
            try await Self.count(campaign, query, on: connection)
            return 1
        }
    }

    private static let due: PostgresQuery = """
        SELECT \(CampaignRecord.columns) FROM campaigns
        WHERE (app_id, id) = (
            SELECT c.app_id, c.id
            FROM campaigns c LEFT JOIN test_counts t ON t.app_id = c.app_id AND t.campaign_id = c.id
            WHERE (c.variants IS NOT NULL OR c.schedule ->> 'best_time_until' IS NOT NULL)
                AND (t.campaign_id IS NULL OR t.count_next_at <= now())
                AND EXISTS (SELECT FROM runs r WHERE r.app_id = c.app_id AND r.campaign_id = c.id)
            ORDER BY t.count_next_at NULLS FIRST LIMIT 1)
        """

    private static func count(
        _ campaign: CampaignRecord, _ people: TestPeopleQuery, on connection: PostgresConnection
    ) async throws {
        let sending = try await connection.query(sending(of: campaign))[0]
        // Recipients who were deleted by the retention can't be counted again: the last count stays.
        let isDeleted: Bool = try sending[0]
        if !isDeleted {
            try await connection.execute(
                "DELETE FROM test_people WHERE app_id = \(campaign.app) AND campaign_id = \(campaign.id)")
            try await connection.execute(
                """
                INSERT INTO test_counts (app_id, campaign_id) VALUES (\(campaign.app), \(campaign.id))
                ON CONFLICT (app_id, campaign_id) DO UPDATE SET counted_at = now()
                """)
            try await connection.execute(people.insertion)
        }
        let decidesAt: Timestamp? = try sending[1]
        try await connection.execute(
            """
            INSERT INTO test_counts AS c (app_id, campaign_id, decides_at)
            VALUES (\(campaign.app), \(campaign.id), \(decidesAt))
            ON CONFLICT (app_id, campaign_id) DO UPDATE SET
                decides_at = excluded.decides_at,
                count_next_at = \(CountTimes.next(decidesAt: "excluded.decides_at", isDeleted: isDeleted))
            """)
    }

    /// Whether recipients were deleted, and when everybody's time has passed: of the people who are tested, who are all
    /// that a decision about the rest waits for.
    private static func sending(of campaign: CampaignRecord) -> PostgresQuery {
        let winner = campaign.content.winner
        let seconds = Double(winner?.after ?? campaign.content.goal.seconds)
        let isSent: PostgresQuery =
            winner == nil
            ? CountTimes.isOver(campaign)
            : """
            bool_and(r.planned_at IS NOT NULL OR r.state IN ('finished', 'cancelled'))
                AND coalesce(bool_and(b.state = 'done') FILTER (WHERE NOT b.is_rest), true)
            """
        return """
            SELECT coalesce(bool_or(b.size > 0 AND b.recipients = '{}'), false),
                CASE WHEN \(isSent)
                    THEN coalesce(max(b.due_at) FILTER (WHERE NOT b.is_rest), now()) + make_interval(secs => \(seconds)) END
            FROM runs r LEFT JOIN batches b ON b.app_id = r.app_id AND b.run_id = r.id
            WHERE r.app_id = \(campaign.app) AND r.campaign_id = \(campaign.id)
            """
    }
}

extension CampaignContent {
    /// Whether nobody decides at a time that is fixed before the start.
    var isOpenEnded: Bool {
        options.winner?.decision == .byHand || options.schedule?.isRepeated ?? false
    }
}
