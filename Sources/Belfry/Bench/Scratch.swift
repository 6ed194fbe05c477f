import Foundation

/// A folder for one measurement.
struct Scratch {
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
            FileHandle.standardError.write(Data("\(path) could not be removed: \(error)\n".utf8))
        }
    }
}
