import Crypto
public import EventLoop
import Glibc
public import Store

/// A directory for the content of media, on a disk that all processes share. Files are named by hash and id.
public struct MediaDirectory: Sendable {
    /// Uploads that were given up by a process that died are taken away after so long.
    static let leftoverAge = 86_400

    let path: String

    /// Makes the directory when there is none, and takes leftovers away.
    public init(path: String) throws(SystemError) {
        self.path = path
        try Self.make(path)
        Self.removeLeftovers(in: path)
    }

    /// Nil for what lies elsewhere.
    public func path(of media: MediaRecord) -> String? {
        guard let hash = media.hash, media.storage == .directory else { return nil }
        let name = Hex.encode(hash)
        return "\(path)/\(name.prefix(2))/\(name)-\(media.id)"
    }

    func keep(_ file: StagedFile, as media: MediaRecord) throws(SystemError) {
        guard let place = path(of: media), let hash = media.hash else { return }
        try Self.make("\(path)/\(Hex.encode(hash.prefix(1)))")
        try StagedFile.sync(directory: path)
        try file.keep(at: place)
    }

    /// Whether all of the file is there.
    func holds(_ media: MediaRecord) -> Bool {
        guard let place = path(of: media) else { return true }
        var status = stat()
        return stat(place, &status) == 0 && Int(status.st_size) == media.size
    }

    /// Once the row is gone. A file that stays only takes room.
    func remove(_ media: MediaRecord) {
        if let place = path(of: media) { unlink(place) }
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
            let place = "\(path)/\(name)"
            guard name.hasPrefix(StagedFile.prefix), lstat(place, &status) == 0, status.st_mtim.tv_sec < oldest
            else { continue }
            unlink(place)
        }
    }
}
