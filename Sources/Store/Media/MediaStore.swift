public import Campaigns
import EventLoop
public import Notifications
public import Postgres

/// Stores media files, and their content unless a directory contains it.
public struct MediaStore: Sendable {
    /// Bytes of one piece in the database.
    static let pieceSize = 1 << 20

    let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// A completely uploaded file.
    public struct File: Sendable {
        public let name: String?
        public let type: MediaType
        public let size: Int
        public let hash: [UInt8]

        public init(name: String?, type: MediaType, size: Int, hash: [UInt8]) {
            self.name = name
            self.type = type
            self.size = size
            self.hash = hash
        }
    }

    /// Inserts a file, and its content by `storeContent`, in one transaction. If the app already has a file with this
    /// content, that one is returned, with its own name.
    public func add(
        _ file: File, app: App.ID, storage: MediaRecord.Storage,
        storeContent: (MediaRecord, _ isNew: Bool, PostgresConnection) async throws -> Void
    ) async throws -> (media: MediaRecord, isNew: Bool) {
        let capability = try MediaCapability()
        return try await mappingConstraintErrors {
            try await pool.transaction { connection in
                // The update of an existing row changes nothing; its lock prevents that the row is deleted meanwhile.
                let rows = try await connection.query(
                    """
                    INSERT INTO media (app_id, size, capability, hash, name, type, storage)
                    VALUES (\(app), \(file.size), \(capability.bytes), \(file.hash),
                        \(file.name ?? file.type.kind.rawValue), \(file.type), \(storage))
                    ON CONFLICT (app_id, hash) DO UPDATE SET name = media.name
                    RETURNING \(MediaRecord.columns), xmax = 0 AS is_new
                    """)
                guard let row = rows.first else { throw Refusal.notFound(.media) }
                let media = try MediaRecord(row)
                let isNew: Bool = try row["is_new"]
                try await storeContent(media, isNew, connection)
                return (media, isNew)
            }
        }
    }

    /// Copies the content into the database. `read` returns the requested number of bytes at an offset, or fewer at the
    /// end.
    public func copy(
        _ media: MediaRecord, to connection: PostgresConnection, read: (_ offset: Int, _ count: Int) throws -> [UInt8]
    ) async throws {
        try await connection.copyIn(
            "COPY media_pieces (app_id, media_id, index, bytes) FROM STDIN (FORMAT binary)"
        ) { writer in
            for (index, offset) in stride(from: 0, to: media.size ?? 0, by: Self.pieceSize).enumerated() {
                let bytes = try read(offset, Self.pieceSize)
                try await writer.row { row in
                    row.write(media.app.rawValue)
                    row.write(media.id.rawValue)
                    row.write(Int32(index))
                    row.write(bytes)
                }
            }
        }
    }

    /// Adds an external file. If the URL exists already, its type and size are updated.
    public func add(
        app: App.ID, name: String, externalURL: MediaURL, type: MediaType?, size: Int?
    ) async throws -> (media: MediaRecord, isNew: Bool) {
        let capability = try MediaCapability()
        let rows = try await mappingConstraintErrors {
            try await pool.query(
                """
                INSERT INTO media (app_id, size, capability, name, type, storage, external_url)
                VALUES (\(app), \(size), \(capability.bytes), \(name), \(type), 'external', \(externalURL.text))
                ON CONFLICT (app_id, external_url) DO UPDATE
                SET size = coalesce(excluded.size, media.size), type = coalesce(excluded.type, media.type)
                RETURNING \(MediaRecord.columns), xmax = 0 AS is_new
                """)
        }
        guard let row = rows.first else { throw Refusal.notFound(.media) }
        return (try MediaRecord(row), try row["is_new"])
    }

    public func find(_ id: Media.ID, app: App.ID) async throws -> MediaRecord {
        let rows = try await pool.query(
            "SELECT \(MediaRecord.columns) FROM media WHERE app_id = \(app) AND id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.media) }
        return try MediaRecord(row)
    }

    /// Newest first; `before` is the last id of the page before.
    public func list(app: App.ID, before: Media.ID?, limit: Int) async throws -> [MediaRecord] {
        let rows = try await pool.query(
            """
            SELECT \(MediaRecord.columns) FROM media
            WHERE app_id = \(app) AND id < \(keysetBound(before))
            ORDER BY id DESC LIMIT \(limit)
            """)
        return try rows.map { try MediaRecord($0) }
    }

    /// Deletes and returns a file. One that a version of a template, a campaign or a run uses can't be deleted.
    public func delete(_ id: Media.ID, app: App.ID) async throws -> MediaRecord {
        let rows: PostgresRows
        do throws(PostgresError) {
            rows = try await pool.query(
                "DELETE FROM media WHERE app_id = \(app) AND id = \(id) RETURNING \(MediaRecord.columns)")
        } catch {
            guard Self.useConstraints.contains(error.constraint ?? "") else { throw error }
            throw Refusal.mediaInUse(by: try await user(of: id, app: app))
        }
        guard let row = rows.first else { throw Refusal.notFound(.media) }
        return try MediaRecord(row)
    }

    static let useConstraints = [
        "template_versions_media_fkey", "campaign_media_media_fkey", "run_variants_media_fkey",
    ]

    /// The template or the campaign that uses the file and was saved last.
    private func user(of id: Media.ID, app: App.ID) async throws -> MediaUser {
        let rows = try await pool.query(
            """
            SELECT t.name, true AS is_template, t.updated_at FROM template_versions v
            JOIN templates t ON t.app_id = v.app_id AND t.id = v.template_id
            WHERE v.app_id = \(app) AND v.media_id = \(id)
            UNION ALL
            SELECT c.name, false, c.updated_at FROM campaigns c
            WHERE c.app_id = \(app) AND (
                EXISTS (
                    SELECT FROM campaign_media u
                    WHERE u.app_id = c.app_id AND u.campaign_id = c.id AND u.media_id = \(id))
                OR EXISTS (
                    SELECT FROM run_variants v JOIN runs r ON r.app_id = v.app_id AND r.id = v.run_id
                    WHERE v.app_id = c.app_id AND v.media_id = \(id) AND r.campaign_id = c.id))
            ORDER BY 3 DESC LIMIT 1
            """)
        guard let row = rows.first else { throw Refusal.notFound(.media) }
        let name: String = try row[0]
        return try row["is_template"] ? .template(name) : .campaign(name)
    }
}
