public import Campaigns
import EventLoop
import Notifications
import Postgres
public import Store

/// Uploads and deletes media. The rows and, without a directory, the content are in the database.
public struct MediaLibrary: Sendable {
    public let store: MediaStore
    private let directory: MediaDirectory?
    private let temporaryDirectory: String

    /// Content goes into `directory`, or into the database without one; what was stored the other way can still be
    /// read. Incomplete uploads are in the directory too, or else in the temporary one.
    public init(store: MediaStore, directory: MediaDirectory? = nil, temporaryDirectory: String = "/tmp") {
        self.store = store
        self.directory = directory
        self.temporaryDirectory = directory?.path ?? temporaryDirectory
    }

    /// Stores a file while it is uploaded. If the app already has the content, returns the existing media with its
    /// name. Throws a `Refusal` as soon as it is known that iOS would not show the file; then nothing is stored.
    public func add(
        app: App.ID, name: String?, declaredSize: Int? = nil, from body: some AsyncSequence<[UInt8], any Error>
    ) async throws -> (media: MediaRecord, isNew: Bool) {
        let staged = try StagedFile(in: temporaryDirectory)
        var intake = MediaInspector(declaredSize: declaredSize)
        for try await bytes in body {
            try intake.take(bytes)
            try staged.write(bytes)
        }
        let finding = try intake.finish()
        let file = MediaStore.File(name: name, type: finding.type, size: finding.size, hash: finding.hash)
        return try await store.add(file, app: app, storage: directory == nil ? .database : .directory) {
            media, isNew, connection in
            if let directory {
                // A file that the disk has lost is restored by the next upload.
                if isNew || !directory.contains(media) { try directory.store(staged, as: media) }
            } else if isNew {
                try await store.copy(media, to: connection) { try staged.read(at: $0, count: $1) }
            }
        }
    }

    public func delete(_ id: Media.ID, app: App.ID) async throws {
        let deleted = try await store.delete(id, app: app)
        directory?.remove(deleted)
    }

    /// The path of the content, when it is in the directory.
    public func path(of media: MediaRecord) -> String? {
        directory?.path(of: media)
    }
}
