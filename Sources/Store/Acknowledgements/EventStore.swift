public import Campaigns
import JSON
public import Postgres

/// An event as it is stored, with the push and the device that it is about.
public struct EventRecord: Sendable {
    public let position: EventPosition
    /// Nil for transactional and test pushes.
    public let campaign: Campaign.ID?
    public let campaignName: String?
    public let run: Run.ID?
    /// Nil once the device's row is gone.
    public let installation: String?
    public let userID: String?
    public let kind: EventKind
    /// The reply that a person typed; nil once it was erased.
    public let text: String?
    /// The value of a conversion, as decimal digits.
    public let value: String?
    public let happenedAt: Timestamp
    public let isTimeCorrected: Bool
    /// Proved by another event, not reported itself.
    public let isImplied: Bool
    public let receivedAt: Timestamp
    /// The device when the push was sent.
    public let profile: DeviceProfile
}

/// The key of an event within an app.
public struct EventPosition: Hashable, Sendable {
    public let messageNumber: Int64
    public let device: Device.ID
    public let kind: Int16
    public let action: String

    public init(messageNumber: Int64, device: Device.ID, kind: Int16, action: String) {
        self.messageNumber = messageNumber
        self.device = device
        self.kind = kind
        self.action = action
    }
}

/// Selects events; nil members match every event.
public struct EventFilter: Hashable, Sendable {
    public var campaigns: [Campaign.ID]?
    public var run: Run.ID?
    public var kind: EventKind?
    /// Happened at or after `since`, and before `until`.
    public var since: Timestamp?
    public var until: Timestamp?

    public init() {}
}

/// Reads events one by one, in the order of their pushes.
public struct EventStore: Sendable {
    private static let columns: PostgresQuery = """
        e.message_number, e.device_id, e.kind, e.action, e.text, trim_scale(e.value)::text AS value, e.happened_at,
        e.is_time_corrected, e.is_implied, e.received_at, r.campaign_id, c.name AS campaign_name, r.id AS run_id,
        d.installation, \(PastUser.userID), p.locale, p.os_version, p.app_version
        """
    private static func joins(_ app: App.ID) -> PostgresQuery {
        """
        LEFT JOIN run_variants m ON m.app_id = e.app_id AND m.message_number = e.message_number
        LEFT JOIN runs r ON r.app_id = m.app_id AND r.id = m.run_id
        LEFT JOIN campaigns c ON c.app_id = r.app_id AND c.id = r.campaign_id
        LEFT JOIN devices d ON d.app_id = e.app_id AND d.id = e.device_id
        \(PastUser.join(app, device: "e.device_id", at: "e.happened_at"))
        LEFT JOIN profiles p ON p.app_id = e.app_id AND p.code = e.profile
        """
    }

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The next events that match, and the position from which to go on; nil at the end. No index leads to kinds and
    /// times, so each call reads `limit` events and returns those of them that match: it takes as long whatever is
    /// asked.
    public func events(
        app: App.ID, _ filter: EventFilter, after: EventPosition?, scanning limit: Int
    ) async throws -> (events: [EventRecord], next: EventPosition?) {
        var condition: PostgresQuery = "e.app_id = \(app)"
        if let after {
            condition += """
                 AND (e.message_number, e.device_id, e.kind, e.action)
                    > (\(after.messageNumber), \(after.device), \(after.kind), \(after.action))
                """
        }
        condition += Self.ofRuns(filter, app: app)
        // Events of test pushes are in no total, and their pushes have no row. Engagements repeat what other events say,
        // unless they are asked for.
        var matches: PostgresQuery =
            filter.kind.map { "e.kind = \($0)" } ?? "e.kind <> \(EventKind.engaged)"
        matches += """
             AND (EXISTS (SELECT FROM run_variants m WHERE m.app_id = e.app_id AND m.message_number = e.message_number)
                OR EXISTS (SELECT FROM batches b WHERE b.app_id = e.app_id AND b.message_number = e.message_number))
            """
        if let until = filter.until { matches += " AND e.happened_at < \(until)" }
        if let since = filter.since {
            matches += " AND e.happened_at >= \(since)"
            // Events are accepted until this age, so older ranges of message numbers have none.
            condition += """
                 AND e.message_number >= coalesce((
                    SELECT max(first_number) FROM message_ranges WHERE opened_at < \(since - EventClock.maximumAge)), 0)
                """
        }
        let rows = try await pool.query(
            """
            SELECT \(Self.columns), e.matches, e.is_full
            FROM (
                SELECT e.*, \(matches) AS matches, count(*) OVER () = \(limit) AS is_full,
                    lead(true) OVER (ORDER BY e.message_number, e.device_id, e.kind, e.action) IS NULL AS is_last
                FROM (
                    SELECT * FROM events e WHERE \(condition)
                    ORDER BY e.message_number, e.device_id, e.kind, e.action LIMIT \(limit)
                ) AS e
            ) AS e \(Self.joins(app))
            WHERE e.matches OR e.is_last
            ORDER BY e.message_number, e.device_id, e.kind, e.action
            """)
        let events = try rows.filter { try $0["matches"] }.map { try EventRecord($0) }
        guard !rows.isEmpty, try rows[rows.count - 1]["is_full"] else { return (events, nil) }
        return (events, try EventRecord(rows[rows.count - 1]).position)
    }

    /// A condition on the runs of the filter, which begins with AND.
    private static func ofRuns(_ filter: EventFilter, app: App.ID) -> PostgresQuery {
        guard filter.campaigns != nil || filter.run != nil else { return "" }
        return """
             AND e.message_number = ANY (ARRAY(
                SELECT m.message_number FROM runs r
                JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
                WHERE r.app_id = \(app) AND (\(filter.run) IS NULL OR r.id = \(filter.run))
                    AND (\(filter.campaigns == nil)
                        OR campaign_id = ANY (\((filter.campaigns ?? []).map(\.rawValue))))))
            """
    }

    // MARK: Replies

    /// The position of a reply in a list by receipt.
    public struct ReplyPosition: Hashable, Sendable {
        public let receivedAt: Timestamp
        public let event: EventPosition

        public init(receivedAt: Timestamp, event: EventPosition) {
            self.receivedAt = receivedAt
            self.event = event
        }
    }

    /// Replies whose text was not erased, the newest first. `search` is the id of the user who replied, or a part of
    /// the text in either case. The times of the filter are those of receipt.
    public func replies(
        app: App.ID, _ filter: EventFilter, search: String?, before: ReplyPosition?, limit: Int
    ) async throws -> [EventRecord] {
        var condition: PostgresQuery = "e.app_id = \(app) AND e.text IS NOT NULL"
        if let before {
            condition += """
                 AND (e.received_at, e.message_number, e.device_id, e.action) < (
                    \(before.receivedAt), \(before.event.messageNumber), \(before.event.device), \(before.event.action))
                """
        }
        condition += Self.ofRuns(filter, app: app)
        if let since = filter.since { condition += " AND e.received_at >= \(since)" }
        if let until = filter.until { condition += " AND e.received_at < \(until)" }
        if let search {
            condition += """
                 AND (position(lower(\(search.composed)) IN lower(e.text)) > 0 OR (
                    e.device_id IN (\(PastUser.devices(of: search, app)))
                    AND user_at(\(app), e.device_id, e.happened_at) = \(search)))
                """
        }
        return try await pool.query(
            """
            SELECT \(Self.columns)
            FROM (
                SELECT * FROM events e WHERE \(condition)
                ORDER BY e.received_at DESC, e.message_number DESC, e.device_id DESC, e.action DESC LIMIT \(limit)
            ) AS e \(Self.joins(app))
            ORDER BY e.received_at DESC, e.message_number DESC, e.device_id DESC, e.action DESC
            """
        ).map { try EventRecord($0) }
    }

    /// Erases the text of a reply, and what messages to webhooks say of it. Throws `notFound` if there is none.
    public func eraseReply(_ reply: EventPosition, app: App.ID) async throws {
        try await WebhookErasure.erase(itemsOf: [reply.device.rawValue], app: app, in: pool) { item in
            """
            \(item) ->> 'message_number' = \(reply.messageNumber.description)
            AND coalesce(\(item) ->> 'action', '') = \(reply.action)
            """
        }
        let count = try await pool.execute(
            """
            UPDATE events SET text = NULL
            WHERE app_id = \(app) AND message_number = \(reply.messageNumber) AND device_id = \(reply.device)
                AND kind = \(EventKind.text) AND action = \(reply.action) AND text IS NOT NULL
            """)
        guard count > 0 else { throw Refusal.notFound(.reply) }
    }
}

extension EventRecord {
    fileprivate init(_ row: PostgresRow) throws {
        let kind: Int16 = try row["kind"]
        position = EventPosition(
            messageNumber: try row["message_number"], device: try row["device_id"], kind: kind,
            action: try row["action"])
        self.kind = EventKind(rawValue: kind) ?? .delivered
        campaign = try row["campaign_id"]
        campaignName = try row["campaign_name"]
        run = try row["run_id"]
        installation = try row["installation"]
        userID = try row["user_id"]
        text = try row["text"]
        value = try row["value"]
        happenedAt = try row["happened_at"]
        isTimeCorrected = try row["is_time_corrected"]
        isImplied = try row["is_implied"]
        receivedAt = try row["received_at"]
        profile = try DeviceProfile(profile: row)
    }
}
