public import Foundation

/// A temporary folder that is removed after the body.
public enum ScratchFolder {
    public static func with<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = URL(filePath: "\(ScratchSpace.path)/belfry-end-to-end-\(UUID().uuidString)")
        // PostgreSQL's user must be able to enter the folder.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch {
                print("can't remove \(folder.path): \(error)")
            }
        }
        return try await body(folder)
    }
}
