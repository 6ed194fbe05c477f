public import FoundationEssentials
public import Postgres

/// The commands that run for long.
public enum ProcessKind: String, Hashable, Sendable {
    case serve, work, demo
}

/// A process as people tell it from others.
public struct ProcessIdentity: Hashable, Sendable {
    /// In bytes.
    public static let maximumName = 64

    /// Random, from its start to its end.
    public var id: UUID
    public var kind: ProcessKind
    /// Chosen by the operator; the host's name otherwise.
    public var name: String
    public var host: String
    public var version: String
    public var pid: Int32
    /// The number of migrations that its program has.
    public var schema: Int32

    public init(
        id: UUID = UUID(), kind: ProcessKind, name: String, host: String, version: String, pid: Int32, schema: Int32
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.host = host
        self.version = version
        self.pid = pid
        self.schema = schema
    }
}

extension ProcessIdentity {
    init(_ row: PostgresRow) throws(PostgresError) {
        let kind: String = try row["kind"]
        self.init(
            id: try row["id"], kind: ProcessKind(rawValue: kind) ?? .work, name: try row["name"],
            host: try row["host"], version: try row["version"], pid: try row["pid"], schema: try row["schema"])
    }
}

/// A row of the list of processes.
public struct ProcessRecord: Hashable, Sendable {
    public var identity: ProcessIdentity
    public var startedAt: Timestamp
    public var seenAt: Timestamp
    /// Nil while it runs, and if it was lost.
    public var endedAt: Timestamp?
    /// Batches that its workers hold.
    public var leasedBatches: Int

    public init(
        identity: ProcessIdentity, startedAt: Timestamp, seenAt: Timestamp, endedAt: Timestamp? = nil,
        leasedBatches: Int = 0
    ) {
        self.identity = identity
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.endedAt = endedAt
        self.leasedBatches = leasedBatches
    }

    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            identity: try ProcessIdentity(row),
            startedAt: try row["started_at"], seenAt: try row["seen_at"], endedAt: try row["ended_at"],
            leasedBatches: try row["leased"])
    }
}
