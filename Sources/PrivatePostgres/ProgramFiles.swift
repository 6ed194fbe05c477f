import Glibc

/// The version of a server's program and of the library that its functions need, by their files.
struct ProgramFiles: Equatable, Sendable {
    /// Device, inode, size and time of each; empty for a missing one.
    private let files: [[Int]]

    init(_ paths: [String]) {
        files = paths.map { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return [] }
            return [
                Int(status.st_dev), Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
                status.st_mtim.tv_nsec,
            ]
        }
    }

    var areComplete: Bool { files.allSatisfy { !$0.isEmpty } }
}
