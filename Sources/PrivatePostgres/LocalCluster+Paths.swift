import Crypto
import EventLoop
import FoundationEssentials
import Glibc
public import Postgres

extension LocalCluster {
    /// The maximum length of a unix address in bytes.
    static let longestSocketPath = 107

    var data: String { "\(directory)/data" }
    var logPath: String { "\(directory)/postgres.log" }

    static func absolute(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
    }

    /// The directory itself, or, if its path is too long, a short path in /tmp that depends only on the directory.
    static func socketDirectory(for directory: String) -> String {
        let socket = "\(directory)/.s.PGSQL.\(port).lock"
        guard socket.utf8.count > longestSocketPath else { return directory }
        return "/tmp/belfry-\(SHA256.hex(Array(directory.utf8)).prefix(16))"
    }

    /// The configuration for connections to the cluster of a directory, whether it runs or not.
    public static func configuration(of directory: String) -> PostgresConfiguration {
        PostgresConfiguration(
            socketDirectory: socketDirectory(for: absolute(directory)), user: user, database: database)
    }

    /// The connection string for servers in these directories of sockets.
    static func url(hosts: [String]) -> String {
        let host = hosts.joined(separator: ",").utf8.map { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return "postgresql:///\(database)?host=\(host.joined())&user=\(user)"
    }

    /// Whether this process is the owner now.
    func takeOwnerLock() throws(LocalClusterError) -> Bool {
        guard let file = try ServerFile.open("\(directory)/owner.lock", O_RDWR | O_CREAT) else { return false }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            Glibc.close(file)
            return false
        }
        ownerLock = file
        return true
    }

    func releaseOwnerLock() {
        watchTimer.map(loop.cancel)
        // The directory is empty now; the next start creates it again.
        if socketDirectory != directory { rmdir(socketDirectory) }
        if let ownerLock {
            // Closing it would not suffice while a child that was just forked has not closed its copy yet.
            flock(ownerLock, LOCK_UN)
            Glibc.close(ownerLock)
        }
        ownerLock = nil
    }

    /// Stops the server and renames its directory, so that the next start creates another one.
    public func move(to path: String) async throws {
        guard isOwner else { throw LocalClusterError.notOwner }
        await end(by: SIGINT)
        defer { releaseOwnerLock() }
        guard rename(directory, path) == 0 else {
            throw LocalClusterError.cannotPrepare(directory: path, reason: SystemError.lastReason)
        }
    }

    func logTail() -> String { ServerLog.tail(of: logPath) }
}
