public import Campaigns
public import Postgres

/// The memory that a process has of the database: the last beat that was confirmed to it.
public struct ProcessMemory: Hashable, Sendable {
    public var process: ProcessID
    /// The number of the beat, at least 1.
    public var beat: Int64
    /// When it was written, on the database's clock.
    public var beatenAt: Timestamp
    /// The number that the database and its backups share.
    public var origin: Int64
    /// The generation of the database in which it was written.
    public var generation: Int64
    /// The process ended cleanly with this beat: nothing was confirmed to it afterwards.
    public var hasEnded: Bool

    public init(
        process: ProcessID, beat: Int64, beatenAt: Timestamp, origin: Int64, generation: Int64, hasEnded: Bool = false
    ) {
        self.origin = origin
        self.process = process
        self.beat = beat
        self.beatenAt = beatenAt
        self.generation = generation
        self.hasEnded = hasEnded
    }
}

/// A flush that was confirmed to this process.
public struct ConfirmedFlush: Hashable, Sendable {
    public let app: App.ID
    public let batch: Batch.ID
    public let attempt: Int32
    public let sequence: Int32

    public init(app: App.ID, batch: Batch.ID, attempt: Int32, sequence: Int32) {
        self.app = app
        self.batch = batch
        self.attempt = attempt
        self.sequence = sequence
    }
}
