public import Campaigns
import JSON
public import Notifications
public import Postgres

public struct TopicStore: Sendable {
    /// Topics of one app: a device can opt out of all of them.
    public static let maximumCount = 100

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func create(app: App.ID, key: TopicKey, _ text: Localized<Topic.Text>) async throws -> Topic {
        try await mappingConstraintErrors {
            // Serialized for each app, so that the limit is exact.
            let lock: PostgresQuery = "SELECT FROM apps WHERE id = \(app) FOR NO KEY UPDATE"
            return try await pool.transaction(opening: [lock]) { connection, _ in
                let rows = try await connection.query(
                    """
                    INSERT INTO topics (app_id, key, name, description, translations)
                    SELECT \(app), \(key.text), \(text.standard.name), \(text.standard.description ?? ""),
                        \(JSONText(Topic.json(text.variants).encoded()))
                    WHERE (SELECT count(*) FROM topics WHERE app_id = \(app)) < \(Self.maximumCount)
                    RETURNING \(Topic.columns)
                    """)
                guard let row = rows.first else { throw Refusal.tooMany(.topic, limit: TopicStore.maximumCount) }
                return try Topic(row)
            }
        }
    }

    public func find(_ key: TopicKey, app: App.ID) async throws -> Topic {
        let rows = try await pool.query(
            "SELECT \(Topic.columns) FROM topics WHERE app_id = \(app) AND key = \(key.text)")
        guard let row = rows.first else { throw Refusal.notFound(.topic) }
        return try Topic(row)
    }

    /// In the order of their keys; `after` is the last key of the page before.
    public func list(
        app: App.ID, isArchived: Bool = false, after: TopicKey?, limit: Int
    ) async throws -> [Topic] {
        let rows = try await pool.query(
            """
            SELECT \(Topic.columns) FROM topics
            WHERE app_id = \(app) AND (archived_at IS NOT NULL) = \(isArchived) AND key > \(after?.text ?? "")
            ORDER BY key LIMIT \(limit)
            """)
        return try rows.map { try Topic($0) }
    }

    /// Members that are nil do not change.
    public func update(
        _ key: TopicKey, app: App.ID, name: String?, description: String?, translations: [LocaleTag: Topic.Text]?,
        expectedVersion: Int? = nil
    ) async throws -> Topic {
        let rows = try await pool.query(
            """
            UPDATE topics
            SET name = coalesce(\(name), name), description = coalesce(\(description), description),
                translations = coalesce(\(translations.map { JSONText(Topic.json($0).encoded()) }), translations),
                version = version + 1
            WHERE app_id = \(app) AND key = \(key.text) AND \(isAt(expectedVersion))
            RETURNING \(Topic.columns)
            """)
        if let row = rows.first { return try Topic(row) }
        throw Refusal.versionConflict(current: try await find(key, app: app).version)
    }

    /// Moves the topic into the archive, or out of it. Campaigns that use it go on, and devices keep their opt-outs.
    public func archive(
        _ isArchived: Bool, _ key: TopicKey, app: App.ID, expectedVersion: Int? = nil
    ) async throws -> Topic {
        let rows = try await pool.query(
            """
            UPDATE topics
            SET archived_at = CASE WHEN \(isArchived) THEN coalesce(archived_at, now()) END, version = version + 1
            WHERE app_id = \(app) AND key = \(key.text) AND \(isAt(expectedVersion))
            RETURNING \(Topic.columns)
            """)
        if let row = rows.first { return try Topic(row) }
        throw Refusal.versionConflict(current: try await find(key, app: app).version)
    }

    /// Deletes the topic; not possible while a campaign uses it. Devices keep their opt-outs, in case it is created
    /// again.
    public func delete(_ key: TopicKey, app: App.ID, expectedVersion: Int? = nil) async throws {
        let deleted = try await pool.execute(
            """
            DELETE FROM topics t
            WHERE app_id = \(app) AND key = \(key.text) AND \(isAt(expectedVersion))
                AND NOT EXISTS (SELECT FROM campaigns WHERE app_id = t.app_id AND topic = t.key)
            """)
        guard deleted == 0 else { return }
        try Refusal.checkVersion(try await find(key, app: app).version, expectedVersion)
        throw Refusal.topicInUse
    }

    /// All keys of an app.
    public func keys(app: App.ID) async throws -> Set<String> {
        let rows = try await pool.query("SELECT key FROM topics WHERE app_id = \(app)")
        return Set(try rows.map { row -> String in try row[0] })
    }
}
