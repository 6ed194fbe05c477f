public import Campaigns
public import JSON
public import Postgres

/// Requests to approve campaigns. Of a campaign at most one waits or holds; an edit makes it void.
public struct ApprovalStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// A request that is made now.
    public struct Request: Sendable {
        public var campaign: CampaignRecord
        public var content: JSON
        public var recipients: Int
        public var requestedBy: User.ID?
        public var requester: String
        public var comment: String
        /// In seconds since 1970; nil: any time.
        public var overdueAt: Int?

        public init(
            campaign: CampaignRecord, content: JSON, recipients: Int, requestedBy: User.ID?, requester: String,
            comment: String, overdueAt: Int?
        ) {
            self.campaign = campaign
            self.content = content
            self.recipients = recipients
            self.requestedBy = requestedBy
            self.requester = requester
            self.comment = comment
            self.overdueAt = overdueAt
        }
    }

    /// Waiting requests: all, those that a person may decide, and those of this person.
    public struct Counts: Sendable {
        public let waiting: Int
        public let forYou: Int
        public let yours: Int
    }

    /// Asks for an approval. One that is in force becomes void.
    public func request(_ request: Request) async throws -> ApprovalRecord {
        let (app, campaign) = (request.campaign.app, request.campaign.id)
        let told = WebhookEvents.insert(
            .approvalRequested, from: "made s",
            data: """
                jsonb_build_object('approval_id', s.id::text, 'campaign_id', s.campaign_id::text,
                    'campaign_name', \(request.campaign.content.name)::text, 'requested_by', s.requester,
                    'comment', s.comment, 'recipients', s.recipients)
                """)
        let id: Approval.ID? = try await pool.transaction { connection in
            // An edit meanwhile waits, or has changed the version.
            let unchanged = try await connection.query(
                """
                SELECT FROM campaigns WHERE app_id = \(app) AND id = \(campaign) AND version = \(request.campaign.version)
                FOR NO KEY UPDATE
                """)
            guard !unchanged.isEmpty else { return nil }
            try await connection.execute(Self.void(campaign, app: app))
            return try await connection.query(
                """
                WITH made AS (
                    INSERT INTO approvals (app_id, campaign_id, requested_by, requester, comment, recipients, content,
                        overdue_at)
                    VALUES (\(app), \(campaign), \(request.requestedBy), \(request.requester), \(request.comment),
                        \(request.recipients), \(request.content.text)::json,
                        to_timestamp(\(request.overdueAt.map { Double($0) })))
                    RETURNING *
                ), told AS (\(told))
                SELECT id FROM made
                """
            ).first.map { try $0["id"] }
        }
        guard let id else {
            let current = try await CampaignStore(pool: pool).find(campaign, app: app)
            throw Refusal.versionConflict(current: current.version)
        }
        return try await find(id, app: app)
    }

    public func find(_ id: Approval.ID, app: App.ID) async throws -> ApprovalRecord {
        let rows = try await pool.query(
            """
            SELECT \(ApprovalRecord.columns)
            FROM approvals p JOIN campaigns c ON c.app_id = p.app_id AND c.id = p.campaign_id
            WHERE p.app_id = \(app) AND p.id = \(id)
            """)
        guard let row = rows.first else { throw Refusal.notFound(.approval) }
        return try ApprovalRecord(row)
    }

    /// The campaign's newest request, or the newest before `approval`.
    public func newest(
        of campaign: Campaign.ID, app: App.ID, before approval: Approval.ID? = nil
    ) async throws -> ApprovalRecord? {
        let rows = try await pool.query(
            """
            SELECT \(ApprovalRecord.columns)
            FROM approvals p JOIN campaigns c ON c.app_id = p.app_id AND c.id = p.campaign_id
            WHERE p.app_id = \(app) AND p.campaign_id = \(campaign) AND p.id < \(keysetBound(approval))
            ORDER BY p.id DESC LIMIT 1
            """)
        return try rows.first.map { try ApprovalRecord($0) }
    }

    /// Newest first. `isWaiting` restricts them to those that wait, or to the others.
    public func list(
        app: App.ID, campaign: Campaign.ID?, isWaiting: Bool?, before: Approval.ID?, limit: Int
    ) async throws -> [ApprovalRecord] {
        let rows = try await pool.query(
            """
            SELECT \(ApprovalRecord.columns)
            FROM approvals p JOIN campaigns c ON c.app_id = p.app_id AND c.id = p.campaign_id
            WHERE p.app_id = \(app) AND p.id < \(keysetBound(before))
                AND (\(campaign)::bigint IS NULL OR p.campaign_id = \(campaign))
                AND (\(isWaiting)::boolean IS NULL OR (p.state = 'waiting') = \(isWaiting))
            ORDER BY p.id DESC LIMIT \(limit)
            """)
        return try rows.map { try ApprovalRecord($0) }
    }

    /// Those that are overdue wait for nobody.
    public func counts(app: App.ID, for person: User.ID?) async throws -> Counts {
        let rows = try await pool.query(
            """
            SELECT count(*) AS waiting, count(*) FILTER (WHERE requested_by IS DISTINCT FROM \(person)) AS for_you,
                count(*) FILTER (WHERE requested_by = \(person)) AS yours
            FROM approvals
            WHERE app_id = \(app) AND state = 'waiting' AND (overdue_at > now() OR overdue_at IS NULL)
            """)
        return Counts(waiting: try rows[0]["waiting"], forYou: try rows[0]["for_you"], yours: try rows[0]["yours"])
    }

    /// Approves, rejects or withdraws a request that waits. False when it does not wait any more, or the campaign is not
    /// at this version.
    public func decide(
        _ approval: ApprovalRecord, _ state: Approval.State, by person: User.ID?, named name: String, comment: String?,
        version: Int? = nil
    ) async throws -> Bool {
        let told = WebhookEvents.insert(
            .approvalDecided, from: "decided s", where: "s.state IN ('approved', 'rejected')",
            data: """
                jsonb_build_object('approval_id', s.id::text, 'campaign_id', s.campaign_id::text,
                    'campaign_name', \(approval.campaignName)::text, 'state', s.state, 'decided_by', s.decider,
                    'comment', s.decision_comment)
                """)
        return try await !pool.query(
            """
            WITH decided AS (
                UPDATE approvals p
                SET state = \(state), decided_at = now(), decided_by = \(person), decider = \(name),
                    decision_comment = \(comment)
                WHERE p.app_id = \(approval.app) AND p.id = \(approval.id) AND p.state = 'waiting'
                    AND EXISTS (
                        SELECT FROM campaigns c
                        WHERE c.app_id = p.app_id AND c.id = p.campaign_id AND \(isAt(version, "c.version")))
                RETURNING p.*
            ), told AS (\(told))
            SELECT FROM decided
            """
        ).isEmpty
    }

    /// Ends what waits or holds.
    static func void(_ campaign: Campaign.ID, app: App.ID) -> PostgresQuery {
        """
        UPDATE approvals SET state = 'void', voided_at = now()
        WHERE app_id = \(app) AND campaign_id = \(campaign) AND state IN ('waiting', 'approved')
        """
    }
}
