public import Campaigns
public import JSON
import Notifications
public import Postgres

/// A change of tags as it is stored, with its progress.
public struct TagChangeRecord: Hashable, Sendable {
    public let id: TagChange.ID
    public let app: App.ID
    public var key: TagChange.Key { TagChange.Key(app: app, id: id) }
    public let createdAt: Timestamp
    public let finishedAt: Timestamp?
    /// Raised when it ends, not by its steps.
    public let version: Int
    public let state: TagChange.State
    /// Why it failed, as text for a person.
    public let reason: Message?
    public let audience: Audience
    /// For the installations.
    public let own: TagEdit
    /// For the people.
    public let person: TagEdit
    /// The share of the app's devices that were scanned, from 0 to 1.
    public let progress: Double
    public let devicesMatched: Int
    public let devicesChanged: Int
    public let peopleChanged: Int
    /// Devices and people who would have had too many tags.
    public let skipped: Int
}

extension TagChangeRecord {
    static let columns: PostgresQuery = """
        id, app_id, created_at, finished_at, version, state, reason, reason_localization, audience::text, add_tags, remove_tags,
        person_add_tags, person_remove_tags, devices_matched, devices_changed, people_changed, skipped,
        CASE WHEN state = 'finished' THEN 1
            ELSE (cursor - first_device)::float8 / greatest(1, device_ceiling - first_device) END::float8 AS progress
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        createdAt = try row["created_at"]
        finishedAt = try row["finished_at"]
        version = try row["version"]
        state = try row["state"]
        reason = try row.reason()
        audience = try Audience(json: JSON(parsing: row["audience", as: String.self]))
        own = TagEdit(add: try row["add_tags"], remove: try row["remove_tags"])
        person = TagEdit(add: try row["person_add_tags"], remove: try row["person_remove_tags"])
        let progress: Double = try row["progress"]
        self.progress = (progress * 10_000).rounded(.down) / 10_000
        devicesMatched = try row["devices_matched"]
        devicesChanged = try row["devices_changed"]
        peopleChanged = try row["people_changed"]
        skipped = try row["skipped"]
    }
}

extension TagChange.State: PostgresEncodable, PostgresDecodable {}
