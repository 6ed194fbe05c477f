import Foundation

/// A folder that goes when the body is done.
enum ScratchFolder {
    static func with<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = URL(filePath: "/tmp/belfry-end-to-end-\(UUID().uuidString)")
        // PostgreSQL's own user has to be able to enter.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch {
                print("left behind: \(folder.path): \(error)")
            }
        }
        return try await body(folder)
    }
}
