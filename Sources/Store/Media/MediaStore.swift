public import Campaigns
import EventLoop
public import Notifications
public import Postgres

/// An app's media.
public struct MediaStore: Sendable {
    /// Bytes of one piece in the database.
    static let pieceSize = 1 << 20

    let pool: PostgresPool
    let directory: MediaDirectory?
    private let temporaryDirectory: String

    /// Content goes into `directory`, or into the database without one; what was stored in the other way is still read.
    /// Until all of a file is there, it is kept in the directory or else in the temporary one.
    public init(pool: PostgresPool, directory: MediaDirectory? = nil, temporaryDirectory: String = "/tmp") {
        self.pool = pool
        self.directory = directory
        self.temporaryDirectory = directory?.path ?? temporaryDirectory
    }

    /// Takes a file as it comes. Content that the app has already gives the medium that is there, under the name that it
    /// has. Throws `MediaRefusal` as soon as it is known that iOS would not show it, and then nothing is stored.
    public func add(
        app: App.ID, name: String?, declaredSize: Int? = nil, from body: some AsyncSequence<[UInt8], any Error>
    ) async throws -> (media: MediaRecord, isNew: Bool) {
        let file = try StagedFile(in: temporaryDirectory)
        var intake = MediaIntake(declaredSize: declaredSize)
        for try await bytes in body {
            try intake.take(bytes)
            try file.write(bytes)
        }
        let finding = try intake.finish()
        let storage: MediaRecord.Storage = directory == nil ? .database : .directory
        let capability = try MediaCapability()
        return try await refusing {
            try await pool.transaction { connection in
                // The update of what is there already changes nothing: it keeps the row from being deleted meanwhile.
                let rows = try await connection.query(
                    """
                    INSERT INTO media (app_id, size, capability, hash, name, type, storage)
                    VALUES (\(app), \(finding.size), \(capability.bytes), \(finding.hash),
                        \(name ?? finding.type.kind.rawValue), \(finding.type), \(storage))
                    ON CONFLICT (app_id, hash) DO UPDATE SET name = media.name
                    RETURNING \(MediaRecord.columns), xmax = 0
                    """)
                guard let row = rows.first else { throw StoreRefusal.notFound(.media) }
                let media = try MediaRecord(row)
                guard try row[10, as: Bool.self] else {
                    // What a disk has lost comes back with the next upload.
                    if let directory, !directory.holds(media) { try directory.keep(file, as: media) }
                    return (media, false)
                }
                if let directory {
                    try directory.keep(file, as: media)
                } else {
                    try await Self.copy(file, of: media, to: connection)
                }
                return (media, true)
            }
        }
    }

    private static func copy(
        _ file: StagedFile, of media: MediaRecord, to connection: PostgresConnection
    ) async throws {
        try await connection.copyIn(
            "COPY media_pieces (app_id, media_id, place, bytes) FROM STDIN (FORMAT binary)"
        ) { writer in
            for (place, offset) in stride(from: 0, to: media.size ?? 0, by: pieceSize).enumerated() {
                let bytes = try file.read(at: offset, count: pieceSize)
                try await writer.row { row in
                    row.write(media.app.rawValue)
                    row.write(media.id.rawValue)
                    row.write(Int32(place))
                    row.write(bytes)
                }
            }
        }
    }

    /// A file elsewhere on the web. The same address gives the same medium, with what is known of it now.
    public func add(
        app: App.ID, name: String, externalURL: MediaURL, type: MediaType?, size: Int?
    ) async throws -> (media: MediaRecord, isNew: Bool) {
        let capability = try MediaCapability()
        let rows = try await refusing {
            try await pool.query(
                """
                INSERT INTO media (app_id, size, capability, name, type, storage, external_url)
                VALUES (\(app), \(size), \(capability.bytes), \(name), \(type), 'external', \(externalURL.text))
                ON CONFLICT (app_id, external_url) DO UPDATE
                SET size = coalesce(excluded.size, media.size), type = coalesce(excluded.type, media.type)
                RETURNING \(MediaRecord.columns), xmax = 0
                """)
        }
        guard let row = rows.first else { throw StoreRefusal.notFound(.media) }
        return (try MediaRecord(row), try row[10])
    }

    public func find(_ id: Media.ID, app: App.ID) async throws -> MediaRecord {
        let rows = try await pool.query(
            "SELECT \(MediaRecord.columns) FROM media WHERE app_id = \(app) AND id = \(id)")
        guard let row = rows.first else { throw StoreRefusal.notFound(.media) }
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

    /// What a version of a template shows stays.
    public func delete(_ id: Media.ID, app: App.ID) async throws {
        let rows: PostgresRows
        do throws(PostgresError) {
            rows = try await pool.query(
                "DELETE FROM media WHERE app_id = \(app) AND id = \(id) RETURNING \(MediaRecord.columns)")
        } catch {
            guard error.constraint == Self.useConstraint else { throw error }
            throw StoreRefusal.mediaInUse(template: try await template(showing: id, app: app))
        }
        guard let row = rows.first else { throw StoreRefusal.notFound(.media) }
        directory?.remove(try MediaRecord(row))
    }

    static let useConstraint = "template_versions_media_fkey"

    /// The one that was saved last.
    private func template(showing id: Media.ID, app: App.ID) async throws -> String {
        let rows = try await pool.query(
            """
            SELECT t.name FROM template_versions v
            JOIN templates t ON t.app_id = v.app_id AND t.id = v.template_id
            WHERE v.app_id = \(app) AND v.media_id = \(id)
            ORDER BY t.updated_at DESC LIMIT 1
            """)
        guard let row = rows.first else { throw StoreRefusal.notFound(.media) }
        return try row[0]
    }
}
