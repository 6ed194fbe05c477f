public import Administration
public import Campaigns
import Crypto
public import Postgres

/// A record of the audit log.
public struct AuditRecord: Hashable, Sendable {
    public let id: Audit.ID
    public let at: Timestamp
    public let entry: AuditEntry
    public let previousHash: [UInt8]
    public let hash: [UInt8]

    /// The hash that a record must have. Every value has its length before it, so that no two records have the same
    /// bytes.
    public var expectedHash: [UInt8] { Self.hash(id: id, at: at, entry, after: previousHash) }

    static func hash(id: Audit.ID, at: Timestamp, _ entry: AuditEntry, after previous: [UInt8]) -> [UInt8] {
        let values: [String?] = [
            id.description, String(at.microseconds), entry.app?.description, entry.actor.kind.rawValue,
            entry.actor.id.map(String.init), entry.actor.name, entry.action, entry.resource, entry.address,
            entry.requestID, entry.before, entry.after,
        ]
        var bytes = previous
        for value in values {
            bytes += Array("\(value.map { String($0.utf8.count) } ?? "-"):".utf8) + Array((value ?? "").utf8)
        }
        return SHA256.hash(bytes)
    }
}

extension AuditRecord {
    static let columns: PostgresQuery = """
        id, at, app_id, actor_kind, actor_id, actor_name, action, resource, address, request_id, before, after,
        previous_hash, hash
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row["id"]
        at = try row["at"]
        // A kind that this version doesn't know is shown as nobody; its hash then says that it differs.
        let kind = AuditEntry.Actor.Kind(rawValue: try row["actor_kind"]) ?? .nobody
        entry = AuditEntry(
            actor: AuditEntry.Actor(kind, id: try row["actor_id"], name: try row["actor_name"]),
            action: try row["action"], resource: try row["resource"], app: try row["app_id"],
            address: try row["address"], requestID: try row["request_id"], before: try row["before"],
            after: try row["after"])
        previousHash = try row["previous_hash"]
        hash = try row["hash"]
    }
}
