public import Campaigns
public import JSON
public import Postgres

/// What operators want to know of all processes and runs, at one moment of PostgreSQL's clock.
public struct SystemFacts: Sendable {
    public var now: Timestamp
    /// Ended and lost ones, too.
    public var processes: [ProcessRecord] = []
    public var backlog: BacklogStore.Backlog
    public var runs: [OpenRunRecord] = []
    /// Since when a campaign is due that no worker has started; nil: none.
    public var campaignDueSince: Timestamp?
    /// Whether a worker has confirmed that the database lacks nothing since PostgreSQL was started.
    public var isConfirmed = true
    public var serverStartedAt: Timestamp

    public init(now: Timestamp, backlog: BacklogStore.Backlog, serverStartedAt: Timestamp) {
        self.now = now
        self.backlog = backlog
        self.serverStartedAt = serverStartedAt
    }
}

/// An unfinished run, with what shows whether it gets on.
public struct OpenRunRecord: Sendable {
    public var key: Run.Key
    public var appName: String
    public var campaign: Campaign.ID
    public var campaignName: String
    public var startedAt: Timestamp
    public var isPaused: Bool
    /// Why Belfry has paused it; nil when a person has.
    public var reason: Message?
    /// Whether Belfry asks because of a restore or a failover.
    public var asksAfterRestore: Bool
    /// Since when a batch is due, and no batch was taken or completed; nil: none waits.
    public var waitingSince: Timestamp?
    /// Since when a batch belongs to a worker that does not report, and nobody has taken it over; nil: none does.
    public var lapsedSince: Timestamp?
    /// Since when no worker plans it, although recipients are missing; nil: it is planned, or a worker does it.
    public var unplannedSince: Timestamp?
    /// Since when all recipients have an outcome; nil: not all have.
    public var completeSince: Timestamp?

    public init(
        key: Run.Key, appName: String, campaign: Campaign.ID, campaignName: String, startedAt: Timestamp,
        isPaused: Bool = false, reason: Message? = nil, asksAfterRestore: Bool = false, waitingSince: Timestamp? = nil,
        lapsedSince: Timestamp? = nil, unplannedSince: Timestamp? = nil, completeSince: Timestamp? = nil
    ) {
        self.key = key
        self.appName = appName
        self.campaign = campaign
        self.campaignName = campaignName
        self.startedAt = startedAt
        self.isPaused = isPaused
        self.reason = reason
        self.asksAfterRestore = asksAfterRestore
        self.waitingSince = waitingSince
        self.lapsedSince = lapsedSince
        self.unplannedSince = unplannedSince
        self.completeSince = completeSince
    }

    init(_ row: PostgresRow) throws {
        self.init(
            key: Run.Key(app: try row["app_id"], id: try row["id"]), appName: try row["app_name"],
            campaign: try row["campaign_id"], campaignName: try row["campaign_name"], startedAt: try row["started_at"],
            isPaused: try row["is_paused"], reason: try row.reason(), asksAfterRestore: try row["asks"],
            waitingSince: try row["waiting_since"], lapsedSince: try row["lapsed_since"],
            unplannedSince: try row["unplanned_since"], completeSince: try row["complete_since"])
    }
}
