public import Campaigns
import Postgres

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
    /// How often its recipients were deferred.
    public let retries: Int16
    /// Whether the tokens are probed in the environment that their devices do not name.
    public let isEnvironmentProbe: Bool
    /// Sorted device ids.
    public let recipients: [Int64]
    /// One byte per recipient.
    public let outcomes: [UInt8]

    static let columns: PostgresQuery = """
        b.id, b.run_id, b.app_id, b.environment, b.attempt, b.flush_seq, b.sent_through, b.first_id, b.last_id,
        b.retries, b.is_trial, b.size, b.recipients, b.outcomes
        """

    init(_ row: PostgresRow) throws {
        id = try row[0]
        run = try row[1]
        app = try row[2]
        environment = try row[3]
        attempt = try row[4]
        flushSequence = try row[5]
        sentThrough = Int(try row[6, as: Int32.self])
        firstID = try row[7]
        lastID = try row[8]
        retries = try row[9]
        isEnvironmentProbe = try row[10]
        let size = Int(try row[11, as: Int32.self])
        recipients = try [Int64](unsafeUninitializedCapacity: size) { buffer, count in
            count = try row.rows.copyInt64Array(row: row.index, column: 12, into: buffer)
        }
        outcomes = try row[13]
    }
}
