public import Campaigns
public import Notifications
public import Postgres

/// What a run sends, frozen when it began.
public struct RunContent: Sendable {
    public let run: Run.ID
    public let app: App.ID
    public let bundleID: BundleID
    public let messageIDKey: String
    public let messageNumber: Int64
    public let messageKeyVersion: Int16
    public let payload: Payload
    public let pushType: PushType
    public let priority: Priority
    /// Apple's header, in seconds since 1970; 0 is one attempt and no storage.
    public let expiration: Int
    public let collapseID: CollapseID?
    public let unknownPolicy: UnknownPolicy
}

public struct RunContentStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func content(of run: Run.ID) async throws -> RunContent? {
        let rows = try await pool.query(
            """
            SELECT r.app_id, a.bundle_id, a.message_id_key, r.message_number, r.message_key_version, r.payload::text,
                r.push_type, r.priority,
                CASE r.expiration_seconds WHEN 0 THEN 0 ELSE extract(epoch FROM r.expires_at)::bigint END,
                r.collapse_id, r.unknown_policy
            FROM runs r JOIN apps a ON a.id = r.app_id WHERE r.id = \(run)
            """)
        guard let row = rows.first else { return nil }
        return RunContent(
            run: run, app: try row[0], bundleID: try BundleID(try row[1]), messageIDKey: try row[2],
            messageNumber: try row[3], messageKeyVersion: try row[4],
            payload: try Payload(json: try JSON(parsing: try row[5, as: String.self])),
            pushType: try row[6], priority: try row[7], expiration: try row[8],
            collapseID: try row[9, as: String?.self].map { try CollapseID($0) }, unknownPolicy: try row[10])
    }

    /// Stops sending until a person has done something about `reason`.
    public func pause(_ run: Run.ID, because reason: String) async throws {
        try await pool.execute(
            """
            WITH paused AS (
                UPDATE runs SET state = 'paused', reason = \(reason)
                WHERE id = \(run) AND state = 'sending' RETURNING app_id, campaign_id
            )
            UPDATE campaigns c SET state = 'paused', reason = \(reason), version = version + 1, updated_at = now()
            FROM paused p WHERE c.app_id = p.app_id AND c.id = p.campaign_id AND c.state = 'sending'
            """)
    }
}

extension Priority: PostgresDecodable {
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Priority {
        guard let priority = Priority(rawValue: Int(try Int16.decode(value))) else { throw .malformed }
        return priority
    }
}
