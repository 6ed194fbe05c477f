import Crypto
public import EventLoop
import Glibc
public import Store

/// A directory for the content of media, on a disk that all processes share. Files are named by hash and id.
public struct MediaDirectory: Sendable {
    /// Seconds after which incomplete uploads of a lost process are removed.
    static let leftoverAge = 86_400

    let path: String

    /// Creates the directory if it doesn't exist, and removes old incomplete uploads.
    public init(path: String) throws(SystemError) {
        self.path = path
        try Self.make(path)
        Self.removeLeftovers(in: path)
    }

    /// Nil for media that are not stored in the directory.
    public func path(of media: MediaRecord) -> String? {
        guard let hash = media.hash, media.storage == .directory else { return nil }
        let name = Hex.encode(hash)
        return "\(path)/\(name.prefix(2))/\(name)-\(media.id)"
    }

    func store(_ file: StagedFile, as media: MediaRecord) throws(SystemError) {
        guard let destination = path(of: media), let hash = media.hash else { return }
        try Self.make("\(path)/\(Hex.encode(hash.prefix(1)))")
        try StagedFile.sync(directory: path)
        try file.store(at: destination)
    }

    /// Whether the complete file exists.
    func contains(_ media: MediaRecord) -> Bool {
        guard let file = path(of: media) else { return true }
        var status = stat()
        return stat(file, &status) == 0 && Int(status.st_size) == media.size
    }

    /// Called after the row was deleted. A file that remains only takes space.
    func remove(_ media: MediaRecord) {
        if let file = path(of: media) { unlink(file) }
    }

    private static func make(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o750) == 0 || errno == EEXIST else { throw .last("mkdir \(path)") }
    }

    private static func removeLeftovers(in path: String) {
        guard let directory = opendir(path) else { return }
        defer { closedir(directory) }
        let oldest = time(nil) - leftoverAge
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            let file = "\(path)/\(name)"
            guard name.hasPrefix(StagedFile.prefix), lstat(file, &status) == 0, status.st_mtim.tv_sec < oldest
            else { continue }
            unlink(file)
        }
    }
}
