import Glibc

/// Problems that PostgreSQL reports in many lines, or not at all, are found before it starts.
extension LocalCluster {
    /// Free space in bytes without which PostgreSQL can't be relied on to start: two segments of its write-ahead log.
    static let necessarySpace: UInt64 = 33_554_432

    /// Throws if the server can't run on the data directory.
    func checkData() throws(LocalClusterError) {
        var information = stat()
        guard stat(data, &information) == 0 else {
            throw .cannotPrepare(directory: data, reason: systemReason())
        }
        guard information.st_uid == account.user else { throw .foreignData(data, account: account.name) }
        if let version = binaries.majorVersion, let found = Self.majorVersion(of: data), found != version {
            throw .otherVersion(data, found: found, server: version)
        }
        var space = statvfs()
        if statvfs(data, &space) == 0, UInt64(space.f_bavail) * UInt64(space.f_frsize) < Self.necessarySpace {
            throw .diskFull(data)
        }
    }

    /// Nil without the file.
    static func majorVersion(of data: String) -> Int? {
        let file = open("\(data)/PG_VERSION", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return ServerFile.tail(file).split(whereSeparator: \.isNewline).first.flatMap { Int($0) }
    }
}
