public import Campaigns
import JSON
import Notifications
public import Postgres

public struct CampaignStore: Sendable {
    let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Creates a draft.
    public func create(app: App.ID, _ content: CampaignContent) async throws -> CampaignRecord {
        let columns = content.columns(content.isTest ? VariantWeights(content.weights) : nil)
        let insert: PostgresQuery = """
            INSERT INTO campaigns (app_id, \(columns.names)) SELECT \(app), \(columns.values)
            RETURNING \(CampaignRecord.columns)
            """
        return try await mappingConstraintErrors {
            try await pool.transaction { connection in
                guard let row = try await connection.query(insert).first else { throw Refusal.notFound(.app) }
                let campaign = try CampaignRecord(row)
                try await connection.execute(
                    SegmentReferences.replace(of: .campaign(campaign.id), app: app, with: content.audience))
                return campaign
            }
        }
    }

    public func find(_ id: Campaign.ID, app: App.ID) async throws -> CampaignRecord {
        let rows = try await pool.query(
            "SELECT \(CampaignRecord.columns) FROM campaigns WHERE app_id = \(app) AND id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.campaign) }
        return try CampaignRecord(row)
    }

    /// In the filter's order, after `after`. `state` is that for people: a campaign whose schedule is paused is paused.
    public func list(
        app: App.ID, _ filter: ListFilter = ListFilter(), state: CampaignState? = nil, tag: String? = nil,
        after: ListPosition? = nil, limit: Int
    ) async throws -> [CampaignRecord] {
        let rows = try await pool.query(
            """
            SELECT \(CampaignRecord.columns) FROM campaigns
            WHERE app_id = \(app) AND \(filter.condition("campaigns", after: after))
                AND (\(state)::text IS NULL
                    OR CASE WHEN schedule_paused_at IS NULL THEN state ELSE 'paused' END = \(state))
                AND (\(tag)::text IS NULL OR \(tag) = ANY (tags))
            ORDER BY \(filter.ordering("campaigns")) LIMIT \(limit)
            """)
        return try rows.map { try CampaignRecord($0) }
    }

    /// The number of campaigns by state for people, without archived ones; and the number of archived ones.
    public func counts(app: App.ID) async throws -> (byState: [CampaignState: Int], archived: Int) {
        let rows = try await pool.query(
            """
            SELECT CASE WHEN archived_at IS NULL THEN
                    CASE WHEN schedule_paused_at IS NULL THEN state ELSE 'paused' END END AS state,
                count(*) AS count
            FROM campaigns WHERE app_id = \(app) GROUP BY 1
            """)
        var counts: (byState: [CampaignState: Int], archived: Int) = ([:], 0)
        for row in rows {
            if let state = try row["state", as: CampaignState?.self] {
                counts.byState[state] = try row["count"]
            } else {
                counts.archived = try row["count"]
            }
        }
        return counts
    }

    /// The tags of campaigns that are not archived, the most frequent first.
    public func tags(app: App.ID, limit: Int) async throws -> [(tag: String, count: Int)] {
        try await pool.query(
            """
            SELECT t.tag, count(*) FROM campaigns c CROSS JOIN unnest(c.tags) AS t (tag)
            WHERE c.app_id = \(app) AND c.archived_at IS NULL
            GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT \(limit)
            """
        ).map { (try $0[0], try $0[1]) }
    }

    /// Campaigns that use the template in any version, newest first.
    public func list(
        of template: Template.ID, app: App.ID, before: Campaign.ID?, limit: Int
    ) async throws -> [CampaignRecord] {
        let rows = try await pool.query(
            """
            SELECT \(CampaignRecord.columns) FROM campaigns
            WHERE app_id = \(app) AND id < \(keysetBound(before)) AND (template_id = \(template) OR EXISTS (
                SELECT FROM json_array_elements(variants) AS v WHERE (v ->> 'template')::bigint = \(template)))
            ORDER BY id DESC LIMIT \(limit)
            """)
        return try rows.map { try CampaignRecord($0) }
    }

    /// Replaces the content of the version that was read: throws `versionConflict` when there is a newer one, and
    /// a `Refusal` when the state does not allow edits. A failed campaign becomes a draft again; a scheduled one stays
    /// scheduled, with the new schedule if it has changed.
    public func update(
        _ id: Campaign.ID, app: App.ID, version: Int, to content: CampaignContent
    ) async throws -> CampaignRecord {
        let moves = StateTransitions(.edit)
        let current = try await find(id, app: app)
        try current.check(.edit, expectedVersion: version)
        let plan =
            current.content.schedule == content.schedule
            ? nil : try await schedulePlan(content.schedule, of: id, app: app)
        if current.state == .scheduled, content.schedule == nil { throw Refusal.noSchedule }
        let isPaused = current.schedulePausedAt != nil
        let change: PostgresQuery = """
            UPDATE campaigns
            SET \(content.columns(try current.weights(for: content)).assignments),
                \((isPaused ? plan?.pausedAssignments : plan?.assignments) ?? "next_check_at = next_check_at"), state = \(moves.next),
                \(Message.assignments(nil)),
                version = version + 1, updated_at = now()
            WHERE app_id = \(app) AND id = \(id) AND version = \(version) AND \(moves.areAllowed)
                AND archived_at IS NULL
                -- An occurrence that has begun since was not known to the new schedule.
                AND (\(plan == nil) OR handled_until IS NOT DISTINCT FROM \(current.handledUntil))
            RETURNING \(CampaignRecord.columns)
            """
        let changed = try await mappingConstraintErrors {
            try await pool.transaction { connection -> CampaignRecord? in
                guard let row = try await connection.query(change).first else { return nil }
                try await connection.execute(
                    SegmentReferences.replace(of: .campaign(id), app: app, with: content.audience))
                if content.differs(from: current.content) {
                    try await connection.execute(ApprovalStore.void(id, app: app))
                }
                return try CampaignRecord(row)
            }
        }
        if let changed { return changed }
        // The campaign was changed since it was read.
        throw Refusal.versionConflict(current: try await find(id, app: app).version)
    }

    /// Replaces the tags in any state: nothing that is sent depends on them. Throws `versionConflict` when there is a newer
    /// version than the one that was read.
    public func retag(_ id: Campaign.ID, app: App.ID, version: Int, _ tags: [String]) async throws -> CampaignRecord {
        let rows = try await pool.query(
            """
            UPDATE campaigns SET tags = \(tags), version = version + 1, updated_at = now()
            WHERE app_id = \(app) AND id = \(id) AND version = \(version)
            RETURNING \(CampaignRecord.columns)
            """)
        guard let row = rows.first else {
            throw Refusal.versionConflict(current: try await find(id, app: app).version)
        }
        return try CampaignRecord(row)
    }

    /// Creates a draft with the same content under another name.
    public func duplicate(_ id: Campaign.ID, app: App.ID, name: String) async throws -> CampaignRecord {
        var content = try await find(id, app: app).content
        content.name = name
        return try await create(app: app, content)
    }

    /// Archives or unarchives the campaign; its ledger remains. Not possible while it is scheduled, sending or paused.
    public func archive(
        _ id: Campaign.ID, app: App.ID, _ isArchived: Bool, expectedVersion: Int? = nil
    ) async throws -> CampaignRecord {
        let rows = try await pool.query(
            """
            UPDATE campaigns
            SET archived_at = CASE WHEN \(isArchived) THEN coalesce(archived_at, now()) END,
                version = version + 1, updated_at = now()
            WHERE app_id = \(app) AND id = \(id) AND state NOT IN ('scheduled', 'sending', 'paused')
                AND \(isAt(expectedVersion))
            RETURNING \(CampaignRecord.columns)
            """)
        if let row = rows.first { return try CampaignRecord(row) }
        let current = try await find(id, app: app)
        try Refusal.checkVersion(current.version, expectedVersion)
        throw Refusal.campaignIsActive(current.state)
    }

    /// Deletes a draft. Campaigns that were started are part of the ledger and cannot be deleted.
    public func delete(_ id: Campaign.ID, app: App.ID, expectedVersion: Int? = nil) async throws {
        let deleted = try await pool.execute(
            """
            DELETE FROM campaigns c
            WHERE c.app_id = \(app) AND c.id = \(id) AND c.state = 'draft' AND \(isAt(expectedVersion, "c.version"))
                AND NOT EXISTS (SELECT FROM runs r WHERE r.app_id = c.app_id AND r.campaign_id = c.id)
            """)
        guard deleted == 0 else { return }
        let current = try await find(id, app: app)
        try Refusal.checkVersion(current.version, expectedVersion)
        throw current.state == .draft ? Refusal.hasRuns : .notADraft(current.state)
    }
}

extension CampaignContent {
    /// By more than the name, which is not sent.
    fileprivate func differs(from other: CampaignContent) -> Bool {
        var renamed = other
        renamed.name = name
        return renamed != self
    }
}

/// The rows of `CampaignState`'s table for one transition, as SQL.
struct StateTransitions {
    private let from: [String]
    private let to: [String]

    init(_ move: CampaignTransition) {
        let pairs = CampaignState.allCases.compactMap { state in state.after(move).map { (state, $0) } }
        from = pairs.map(\.0.rawValue)
        to = pairs.map(\.1.rawValue)
    }

    var areAllowed: PostgresQuery { "state = ANY (\(from))" }
    var next: PostgresQuery { "(\(to))[array_position(\(from), state)]" }
}
