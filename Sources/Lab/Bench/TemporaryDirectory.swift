import Foundation

/// A temporary directory, which the caller removes.
struct TemporaryDirectory {
    let path: String

    init(_ name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    func remove() {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            FileHandle.standardError.write(Data("can't remove \(path): \(error)\n".utf8))
        }
    }
}
