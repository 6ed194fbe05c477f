public import Campaigns
public import JSON
public import Postgres

/// Runs of campaigns that start by API calls.
public struct TriggerStore: Sendable {
    private static let constraint = "runs_trigger_key"

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The run that was started under this key; nil when there is none.
    public func run(of campaign: CampaignRecord, under key: IdempotencyKey) async throws -> Run.ID? {
        let rows = try await pool.query(
            """
            SELECT id, trigger_body_hash FROM runs
            WHERE app_id = \(campaign.app) AND campaign_id = \(campaign.id) AND trigger_owner = \(key.owner.text)
                AND trigger_key = \(key.text)
            """)
        guard let row = rows.first else { return nil }
        guard try row[1, as: [UInt8].self] == key.bodyHash else { throw Refusal.idempotencyKeyInUse }
        return try row[0]
    }

    /// Starts a run. A repeated key returns the run that it started first; `versionConflict` when the campaign was
    /// edited or unscheduled since it was read.
    public func start(
        _ campaign: CampaignRecord, audience: ResolvedAudience, estimated: Int, values: JSON?, key: IdempotencyKey?
    ) async throws -> Run.ID {
        do {
            return try await insert(campaign, audience, estimated, values, key)
        } catch let error as PostgresError where error.isUniqueViolation(constraint: Self.constraint) {
            guard let key, let run = try await run(of: campaign, under: key) else { throw error }
            return run
        }
    }

    private func insert(
        _ campaign: CampaignRecord, _ audience: ResolvedAudience, _ estimated: Int, _ values: JSON?,
        _ key: IdempotencyKey?
    ) async throws -> Run.ID {
        let started: Run.ID? = try await pool.transaction { connection in
            let claimed = try await connection.query(
                """
                UPDATE campaigns SET runs_started = runs_started + 1
                WHERE app_id = \(campaign.app) AND id = \(campaign.id) AND version = \(campaign.version)
                    AND state = 'scheduled' AND schedule_paused_at IS NULL
                    AND EXISTS (SELECT FROM credentials WHERE app_id = \(campaign.app))
                RETURNING floor(extract(epoch FROM now()))::bigint
                """)
            guard let now = claimed.first else { return nil }
            let run = NewRun(
                campaign: campaign.id, app: campaign.app, occurrence: .at(try now[0]), question: nil,
                audience: audience, estimated: estimated, trigger: key, values: values)
            guard let id = try await run.insert(on: connection) else { throw Refusal.notFound(.campaign) }
            return id
        }
        if let started { return started }
        let current = try await pool.query(
            "SELECT version FROM campaigns WHERE app_id = \(campaign.app) AND id = \(campaign.id)")
        guard let row = current.first else { throw Refusal.notFound(.campaign) }
        let version: Int = try row[0]
        guard version == campaign.version else { throw Refusal.versionConflict(current: version) }
        throw Refusal.noCredential
    }
}
