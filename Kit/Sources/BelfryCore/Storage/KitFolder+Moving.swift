import Foundation

extension KitFolder {
    /// Moves the files of a process into the app group that an update of the app has brought: otherwise the login, and
    /// events that wait, would be lost. What is there already stays. A file that can't be moved is tried again at the
    /// next launch.
    static func move(_ old: URL, into new: URL) {
        let manager = FileManager.default
        guard let names = try? manager.contentsOfDirectory(atPath: old.path) else { return }
        try? manager.createDirectory(at: new, withIntermediateDirectories: true)
        for name in names {
            let (from, to) = (old.appendingPathComponent(name), new.appendingPathComponent(name))
            var isFolder: ObjCBool = false
            if manager.fileExists(atPath: from.path, isDirectory: &isFolder), isFolder.boolValue {
                move(from, into: to)
            } else if !manager.fileExists(atPath: to.path) {
                try? manager.moveItem(at: from, to: to)
            }
        }
    }
}
