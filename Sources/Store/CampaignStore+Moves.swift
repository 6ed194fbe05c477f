public import Campaigns
public import Postgres

// The state is the claim: whoever changes it has done the move, and the dispatcher takes it from there. NOTIFY only
// wakes it earlier; it looks by itself too.
extension CampaignStore {
    /// Also moves a campaign that is scheduled already to another time.
    public func schedule(_ id: Campaign.ID, app: App.ID, at time: Timestamp) async throws -> CampaignRecord {
        try await move(id, app: app, by: .schedule, sendAt: time)
    }

    public func unschedule(_ id: Campaign.ID, app: App.ID) async throws -> CampaignRecord {
        try await move(id, app: app, by: .unschedule)
    }

    public func start(_ id: Campaign.ID, app: App.ID) async throws -> CampaignRecord {
        try await move(id, app: app, by: .start)
    }

    public func pause(_ id: Campaign.ID, app: App.ID) async throws -> CampaignRecord {
        try await move(id, app: app, by: .pause, run: RunMove(from: ["sending"], to: "paused"))
    }

    public func resume(_ id: Campaign.ID, app: App.ID) async throws -> CampaignRecord {
        try await move(id, app: app, by: .resume, run: RunMove(from: ["paused"], to: "sending"))
    }

    /// What is pending is written off by the dispatcher.
    public func cancel(_ id: Campaign.ID, app: App.ID) async throws -> CampaignRecord {
        try await move(id, app: app, by: .cancel, run: RunMove(from: ["sending", "paused"], to: "cancelled"))
    }

    /// What a move does to the campaign's open run, should there be one.
    private struct RunMove {
        let from: [String]
        let to: String

        /// Who resumes has been told if this is another PostgreSQL than the one where the run began.
        var isHere: PostgresQuery {
            to == "sending"
                ? ", (system_identifier, timeline, database_oid) = (SELECT \(DatabaseIdentity.columns))" : ""
        }
    }

    private func move(
        _ id: Campaign.ID, app: App.ID, by move: CampaignMove, sendAt: Timestamp? = nil, run: RunMove? = nil
    ) async throws -> CampaignRecord {
        let moves = StateMoves(move)
        let change: PostgresQuery = """
            WITH moved AS (
                UPDATE campaigns
                SET state = \(moves.next), send_at = coalesce(\(sendAt), send_at), reason = NULL,
                    version = version + 1, updated_at = now()
                WHERE app_id = \(app) AND id = \(id) AND \(moves.areAllowed)
                RETURNING \(CampaignRecord.columns)
            )
            SELECT moved.*, pg_notify('belfry_campaigns', id::text) FROM moved
            """
        let moved: CampaignRecord?
        if let run {
            moved = try await pool.transaction { connection in
                guard let row = try await connection.query(change).first else { return nil }
                // A statement of its own: it sees a run whose start had this campaign locked a moment ago.
                try await connection.execute(
                    """
                    WITH moved AS (
                        UPDATE runs SET state = \(run.to), reason = NULL\(run.isHere)
                        WHERE app_id = \(app) AND campaign_id = \(id) AND finished_at IS NULL
                            AND state = ANY (\(run.from))
                        RETURNING id
                    )
                    SELECT pg_notify('belfry_runs', id::text) FROM moved
                    """)
                return try CampaignRecord(row)
            }
        } else {
            moved = try await pool.query(change).first.map { try CampaignRecord($0) }
        }
        if let moved { return moved }
        let current = try await find(id, app: app)
        _ = try current.state.applying(move)
        // It was not allowed then and is now: someone else has just moved it.
        throw StoreRefusal.versionConflict(current: current.version)
    }
}
