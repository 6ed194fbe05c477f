import EventLoop
import Glibc

/// Problems that PostgreSQL reports in many lines, or not at all, are found before it starts.
extension LocalCluster {
    /// Throws if the server can't run on the data directory.
    func checkData() async throws(LocalClusterError) {
        var information = stat()
        guard stat(data, &information) == 0 else {
            throw .cannotPrepare(directory: data, reason: SystemError.lastReason)
        }
        guard information.st_uid == account.user else { throw .foreignData(data, account: account.name) }
        let version = try await binaries.majorVersion(as: account, file: "\(directory)/version.log", on: loop)
        if let version, let found = Self.majorVersion(of: data), found != version {
            throw .otherVersion(data, found: found, server: version)
        }
        try checkSpace(options.minimumSpace)
    }

    func checkSpace(_ minimum: UInt64) throws(LocalClusterError) {
        var space = statvfs()
        guard statvfs(directory, &space) == 0 else {
            throw .cannotPrepare(directory: directory, reason: SystemError.lastReason)
        }
        let free = UInt64(space.f_bavail) * UInt64(space.f_frsize)
        guard free >= minimum else { throw .diskFull(directory, free: free, minimum: minimum) }
    }

    /// Nil without the file.
    static func majorVersion(of data: String) -> Int? {
        let file = open("\(data)/PG_VERSION", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return ServerFile.tail(file).split(whereSeparator: \.isNewline).first.flatMap { Int($0) }
    }
}
