public import Postgres

/// The database at one moment, compared with what a process remembers of it.
public struct DatabaseObservation: Hashable, Sendable {
    /// The number that the database and its backups share.
    public var origin: Int64
    public var generation: Int64
    /// When the generation began; nil for the first one.
    public var changedAt: Timestamp?
    /// When the PostgreSQL server was started, which identifies it.
    public var server: Timestamp
    /// False after a dump was restored.
    public var hasSameTables: Bool
    /// Whether a process has confirmed this server.
    public var isConfirmed: Bool
    /// False also when the timeline can't be read.
    public var hasSameTimeline: Bool
    /// The beats of the remembered processes in their order; 0 for one without a row.
    public var beats: [Int64]
    /// Whether it has all flushes that were confirmed.
    public var hasFlushes: Bool
    /// Whether a standby server had each commit of the remembered processes before it was confirmed.
    public var isSynchronous: Bool
    /// Other processes that were at work at the last remembered beat, and have not compared this server yet.
    public var silentProcesses: Int
    /// Whether a run is open or due.
    public var hasWork: Bool
    /// Whether the clock is behind the last beat of any process.
    public var isClockSetBack: Bool

    public init(
        origin: Int64, generation: Int64, changedAt: Timestamp? = nil, server: Timestamp, hasSameTables: Bool = true,
        isConfirmed: Bool = true, hasSameTimeline: Bool = true, beats: [Int64] = [], hasFlushes: Bool = true,
        isSynchronous: Bool = false, silentProcesses: Int = 0, hasWork: Bool = true,
        isClockSetBack: Bool = false
    ) {
        self.origin = origin
        self.generation = generation
        self.changedAt = changedAt
        self.server = server
        self.hasSameTables = hasSameTables
        self.isConfirmed = isConfirmed
        self.hasSameTimeline = hasSameTimeline
        self.beats = beats
        self.hasFlushes = hasFlushes
        self.isSynchronous = isSynchronous
        self.silentProcesses = silentProcesses
        self.hasWork = hasWork
        self.isClockSetBack = isClockSetBack
    }

    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            origin: try row[0], generation: try row[1], changedAt: try row[2], server: try row[3],
            hasSameTables: try row[4], isConfirmed: try row[5], hasSameTimeline: try row[6], beats: try row[7],
            hasFlushes: try row[8], isSynchronous: try row[9], silentProcesses: Int(try row[10, as: Int64.self]),
            hasWork: try row[11], isClockSetBack: try row[12])
    }
}
