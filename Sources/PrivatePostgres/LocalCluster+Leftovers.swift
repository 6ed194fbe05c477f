import EventLoop
import FoundationEssentials
import Glibc

/// Ends what an earlier server left behind: PostgreSQL does not start in a directory as long as a process uses it.
extension LocalCluster {
    /// Ends a previous server whose owner was killed, and then processes whose server was killed.
    func endLeftServer() async throws {
        if let id = try recordedServer(), isServerProcess(id) {
            kill(id, SIGINT)
            try await waitUntilGone { self.isServerProcess(id) ? id : nil }
        }
        // Without their server they end when their query does. SIGQUIT is what the server would send them.
        for id in serverProcesses() { kill(id, SIGQUIT) }
        try await waitUntilGone { self.serverProcesses().first }
    }

    private func waitUntilGone(_ find: () -> pid_t?) async throws {
        let end = MonotonicTime.now() + Self.stopTimeout
        while let id = find() {
            guard .now() < end else {
                throw LocalClusterError.cannotStart("PostgreSQL", reason: "process \(id) is still running in \(data)")
            }
            await loop.pause(ChildProcess.pollInterval)
        }
    }

    private func recordedServer() throws(LocalClusterError) -> pid_t? {
        guard let file = try ServerFile.open("\(data)/postmaster.pid", O_RDONLY, owner: account.user) else {
            return nil
        }
        defer { close(file) }
        let line = ServerFile.tail(file).split(whereSeparator: \.isNewline).first
        guard let id = line.flatMap({ pid_t($0) }), id > 0 else { return nil }
        return id
    }

    private func serverProcesses() -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter(isServerProcess)
    }

    /// A process of the server's account, in the data directory, and not a zombie (which has no directory).
    private func isServerProcess(_ id: pid_t) -> Bool {
        var process = stat()
        var directory = stat()
        var ownDirectory = stat()
        // Compared by inode: the path to the data may lead over a symbolic link.
        return stat("/proc/\(id)", &process) == 0 && process.st_uid == account.user
            && stat("/proc/\(id)/cwd", &directory) == 0 && stat(data, &ownDirectory) == 0
            && directory.st_dev == ownDirectory.st_dev && directory.st_ino == ownDirectory.st_ino
            && Self.program(of: id)?.hasPrefix("postgres") == true
    }

    /// After an upgrade of the package, the name ends with "(deleted)".
    private static func program(of id: pid_t) -> Substring? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(id)/exe", &path, path.count)
        guard count > 0 else { return nil }
        return String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: "/")
            .last
    }
}
