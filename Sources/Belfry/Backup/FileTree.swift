import EventLoop
import Glibc

/// The regular files under a directory. Links and devices are left out: they are in no backup.
enum FileTree {
    /// Relative paths, sorted. A directory that does not exist has none.
    static func files(in directory: String) throws(SystemError) -> [String] {
        var found: [String] = []
        try collect(directory, prefix: "", into: &found)
        return found.sorted()
    }

    static func size(of directory: String) throws(SystemError) -> Int64 {
        try files(in: directory).reduce(0) { $0 + (size(file: "\(directory)/\($1)") ?? 0) }
    }

    /// The directory and all below it.
    static func directories(in directory: String) throws(SystemError) -> [String] {
        var found = [directory]
        for name in try names(in: directory) {
            var status = stat()
            guard lstat("\(directory)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
            found += try directories(in: "\(directory)/\(name)")
        }
        return found
    }

    /// Nil if there is no such file.
    static func size(file path: String) -> Int64? {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    private static func collect(_ directory: String, prefix: String, into found: inout [String]) throws(SystemError) {
        for name in try names(in: directory) {
            var status = stat()
            // It may be deleted meanwhile.
            guard lstat("\(directory)/\(name)", &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                try collect("\(directory)/\(name)", prefix: "\(prefix)\(name)/", into: &found)
            } else if status.st_mode & S_IFMT == S_IFREG {
                found.append(prefix + name)
            }
        }
    }

    /// The names in a directory; none if it does not exist.
    static func names(in directory: String) throws(SystemError) -> [String] {
        guard let stream = opendir(directory) else {
            if errno == ENOENT { return [] }
            throw .current("open \(directory)")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Makes a file or directory survive a power failure.
    static func sync(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .current("open \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .current("fsync \(path)") }
    }

    /// Makes a directory, unless it is there.
    static func makeDirectory(_ path: String, mode: mode_t) throws(SystemError) {
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .current("mkdir \(path)") }
    }
}
