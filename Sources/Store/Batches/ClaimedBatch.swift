public import Campaigns
public import Postgres

/// A batch leased to this process, as it was when it was claimed.
public struct ClaimedBatch: Sendable {
    public let id: Batch.ID
    public let run: Run.ID
    public let app: App.ID
    public let environment: PushEnvironment
    public let attempt: Int32
    public let flushSequence: Int32
    public let sentThrough: Int
    public let firstID: Int64
    public let lastID: Int64
    /// The number of times that its recipients were deferred.
    public let retries: Int16
    /// All of its recipients get this variant of the run, from 0.
    public let variant: Int16
    /// Whether the tokens are probed in the environment that their devices do not name.
    public let isEnvironmentProbe: Bool
    /// No push of the batch is sent before this time.
    public let dueAt: Timestamp
    /// Sorted device ids.
    public let recipients: [Int64]
    /// One byte per recipient.
    public let outcomes: [UInt8]

    public var runKey: Run.Key { Run.Key(app: app, id: run) }

    static let columns: PostgresQuery = """
        b.id, b.run_id, b.app_id, b.environment, b.attempt, b.flush_seq, b.sent_through, b.first_id, b.last_id,
        b.retries, b.variant, b.is_environment_probe, b.due_at, b.size, b.recipients, b.outcomes
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        run = try row["run_id"]
        app = try row["app_id"]
        environment = try row["environment"]
        attempt = try row["attempt"]
        flushSequence = try row["flush_seq"]
        sentThrough = Int(try row["sent_through", as: Int32.self])
        firstID = try row["first_id"]
        lastID = try row["last_id"]
        retries = try row["retries"]
        variant = try row["variant"]
        isEnvironmentProbe = try row["is_environment_probe"]
        dueAt = try row["due_at"]
        let size = Int(try row["size", as: Int32.self])
        recipients = try [Int64](unsafeUninitializedCapacity: size) { buffer, count in
            count = try row.copyInt64Array("recipients", into: buffer)
        }
        outcomes = try row["outcomes"]
    }
}
