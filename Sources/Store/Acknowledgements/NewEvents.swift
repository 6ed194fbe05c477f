import Campaigns
import Postgres

/// Events that are stored for the first time, as columns: there are thousands in each statement.
struct NewEvents {
    /// Indexes in their group.
    private(set) var indexes: [Int] = []
    private var apps: [Int64] = []
    private var messageNumbers: [Int64] = []
    private var devices: [Int64] = []
    private var kinds: [Int16] = []
    private(set) var happenedAt: [Timestamp] = []
    private var areCorrected: [Bool] = []
    private var areImplied: [Bool] = []
    /// The devices' profiles when the push was sent.
    var profiles: [Int32] = []
    /// From the push to its opening; nil for other kinds.
    private(set) var delaySeconds: [Int32?] = []
    private var actions: [String] = []
    private var texts: [String?] = []
    private var millionths: [Int64?] = []
    /// Most groups have no details: their columns would cost a third of the time.
    private let hasDetails: Bool

    init(capacity: Int, hasDetails: Bool) {
        self.hasDetails = hasDetails
        indexes.reserveCapacity(capacity)
        apps.reserveCapacity(capacity)
        messageNumbers.reserveCapacity(capacity)
        devices.reserveCapacity(capacity)
        kinds.reserveCapacity(capacity)
        happenedAt.reserveCapacity(capacity)
        areCorrected.reserveCapacity(capacity)
        areImplied.reserveCapacity(capacity)
        profiles.reserveCapacity(capacity)
        delaySeconds.reserveCapacity(capacity)
    }

    var count: Int { indexes.count }

    mutating func append(
        _ event: AcknowledgementGroup.Event, index: Int, profile: Int32, happenedAt: Timestamp, delaySeconds: Int32?
    ) {
        indexes.append(index)
        apps.append(event.app)
        messageNumbers.append(event.messageNumber)
        devices.append(event.device)
        kinds.append(event.kind.rawValue)
        self.happenedAt.append(happenedAt)
        areCorrected.append(event.moment.isCorrected)
        areImplied.append(event.isImplied)
        profiles.append(profile)
        self.delaySeconds.append(delaySeconds)
        guard hasDetails else { return }
        actions.append(event.action)
        texts.append(event.details?.text)
        millionths.append(event.details?.valueMillionths)
    }

    /// Inserts in the order of the keys, so that groups of different processes cannot deadlock. Fails if an event
    /// exists.
    var inserts: [PostgresQuery] { count == 0 ? [] : [insertEvents] + insertReplies }

    private var insertEvents: PostgresQuery {
        let details: (columns: PostgresQuery, values: PostgresQuery, arrays: PostgresQuery, names: PostgresQuery) =
            hasDetails
            ? (
                ", action, text, value", ", g.action, g.text, g.millionths * 0.000001",
                ", \(actions), \(texts), \(millionths)", ", action, text, millionths"
            ) : ("", "", "", "")
        return """
            INSERT INTO events (app_id, message_number, device_id, kind, happened_at, is_time_corrected, is_implied,
                profile, delay_seconds \(details.columns))
            SELECT g.app_id, g.message_number, g.device_id, g.kind, g.happened_at, g.is_corrected, g.is_implied,
                g.profile, g.delay_seconds \(details.values)
            FROM unnest(
                \(apps), \(messageNumbers), \(devices), \(kinds), \(happenedAt), \(areCorrected), \(areImplied),
                \(profiles), \(delaySeconds) \(details.arrays)
            ) AS g (app_id, message_number, device_id, kind, happened_at, is_corrected, is_implied, profile,
                delay_seconds \(details.names))
            """
    }

    /// The positions of events with a text.
    private var replies: [Int] { texts.indices.filter { texts[$0] != nil } }

    private var insertReplies: [PostgresQuery] {
        let replies = replies
        guard !replies.isEmpty else { return [] }
        return [
            """
            INSERT INTO device_replies (app_id, device_id, message_number)
            SELECT DISTINCT g.app_id, g.device_id, g.message_number
            FROM unnest(\(replies.map { apps[$0] }), \(replies.map { devices[$0] }), \(replies.map { messageNumbers[$0] }))
                AS g (app_id, device_id, message_number)
            ORDER BY 1, 2, 3
            ON CONFLICT DO NOTHING
            """
        ]
    }

    /// Tells the webhooks of the apps about replies.
    func tellReplies(of group: AcknowledgementGroup) -> [PostgresQuery] {
        let replies = replies
        guard !replies.isEmpty else { return [] }
        let messages = replies.map { group.events[indexes[$0]].message }
        return [
            WebhookEvents.insert(
                .repliesReceived,
                from: """
                    unnest(
                        \(replies.map { apps[$0] }), \(replies.map { devices[$0] }), \(replies.map { messageNumbers[$0] }),
                        \(replies.map { actions[$0] }), \(replies.map { texts[$0] }), \(replies.map { happenedAt[$0] }),
                        \(messages.map { $0?.run }), \(messages.map { $0?.campaign ?? 0 })
                    ) AS s (app_id, device_id, message_number, action, text, at, run_id, campaign_id)
                    LEFT JOIN devices d ON d.app_id = s.app_id AND d.id = s.device_id
                    """,
                data: """
                    jsonb_build_object(
                        \(WebhookEvents.device("d", id: "s.device_id")), 'message_number', s.message_number::text,
                        'run_id', s.run_id::text, 'campaign_id', nullif(s.campaign_id, 0)::text,
                        'action', nullif(s.action, ''), 'text', s.text, 'at', \(WebhookEvents.time("s.at")))
                    """)
        ]
    }
}
