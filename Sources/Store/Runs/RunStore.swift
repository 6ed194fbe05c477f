public import Campaigns
public import Postgres

/// Reads runs for people: totals, reasons and recipients.
public struct RunStore: Sendable {
    let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func find(_ id: Run.ID, app: App.ID) async throws -> RunRecord {
        let rows = try await pool.query(RunRecord.select(comparing: true) + " WHERE r.app_id = \(app) AND r.id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.run) }
        return try RunRecord(row)
    }

    /// The newest run of each campaign that has one.
    public func newest(of campaigns: [Campaign.ID], app: App.ID) async throws -> [RunRecord] {
        // A recurring campaign may have thousands: only its newest is read.
        let rows = try await pool.query(
            RunRecord.select() + """
                 WHERE r.app_id = \(app) AND r.id = ANY (ARRAY(
                    SELECT n.id FROM unnest(\(campaigns.map(\.rawValue))) AS c (id)
                    CROSS JOIN LATERAL (
                        SELECT id FROM runs WHERE app_id = \(app) AND campaign_id = c.id ORDER BY id DESC LIMIT 1
                    ) AS n))
                """)
        return try rows.map { try RunRecord($0) }
    }

    /// The runs of an app by their ids; `after` is the last one of the page before. `state` is that for people.
    public func list(
        app: App.ID, state: String?, since: Timestamp?, until: Timestamp?, oldestFirst: Bool = false, after: Run.ID?,
        limit: Int
    ) async throws -> [RunRecord] {
        // Waiting runs are sending ones whose recipients are due later.
        let stored = state == RunRecord.waiting ? RunRecord.State.sending.rawValue : state
        // Few runs of a long history are open, and an index finds them.
        let isOpen: PostgresQuery =
            stored == RunRecord.State.sending.rawValue || stored == RunRecord.State.paused.rawValue
            ? " AND r.finished_at IS NULL" : ""
        let position: PostgresQuery =
            oldestFirst ? "r.id > \(after?.rawValue ?? 0)" : "r.id < \(keysetBound(after))"
        // Planning takes half as long as reading a hundred runs. Times decide by which index they are found.
        let plan: PlanMode = since == nil && until == nil ? .generic : .custom
        let rows = try await pool.query(
            "SELECT * FROM (" + RunRecord.select() + """
                 WHERE r.app_id = \(app) AND \(position)
                    AND (\(stored)::text IS NULL OR r.state = \(stored))
                    AND (\(since)::timestamptz IS NULL OR r.started_at >= \(since))
                    AND (\(until)::timestamptz IS NULL OR r.started_at < \(until))\(isOpen)
                ) AS r
                WHERE \(state)::text IS NULL OR (\(state) = \(RunRecord.waiting)) = (next_at IS NOT NULL)
                ORDER BY id \(unescaped: oldestFirst ? "ASC" : "DESC") LIMIT \(limit)
                """, plan: plan)
        return try rows.map { try RunRecord($0) }
    }

    /// The newest run of a campaign; nil if it has none.
    public func newest(of campaign: Campaign.ID, app: App.ID) async throws -> RunRecord? {
        try await list(campaign: campaign, app: app, before: nil, limit: 1).first
    }

    /// Newest first; `before` is the last id of the page before.
    public func list(campaign: Campaign.ID, app: App.ID, before: Run.ID?, limit: Int) async throws -> [RunRecord] {
        let rows = try await pool.query(
            RunRecord.select() + """
                 WHERE r.app_id = \(app) AND r.campaign_id = \(campaign) AND r.id < \(keysetBound(before))
                ORDER BY r.id DESC LIMIT \(limit)
                """, plan: .generic)
        return try rows.map { try RunRecord($0) }
    }

    /// The meaning of each code, by code.
    public func codes() async throws -> [UInt8: OutcomeReason] {
        var codes: [UInt8: OutcomeReason] = [:]
        for row in try await pool.query("SELECT code, kind, reason FROM outcome_codes") {
            let code: Int16 = try row[0]
            codes[UInt8(code)] = OutcomeReason(kind: try row[1], reason: try row[2])
        }
        return codes
    }
}

/// A term of the ledger and the reason within it, from Apple or from Belfry.
public struct OutcomeReason: Hashable, Sendable {
    public let kind: OutcomeKind
    /// Empty when the kind needs no reason.
    public let reason: String

    public init(kind: OutcomeKind, reason: String = "") {
        self.kind = kind
        self.reason = reason
    }
}
