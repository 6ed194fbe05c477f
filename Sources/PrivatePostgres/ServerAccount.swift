import EventLoop
import Glibc

/// The account that runs the server. PostgreSQL refuses to run as root, so root starts it as `postgres`.
struct ServerAccount {
    let user: uid_t
    let name: String
    private let group: gid_t
    private let isRoot: Bool

    init() throws(LocalClusterError) {
        isRoot = geteuid() == 0
        guard isRoot else {
            user = geteuid()
            group = getegid()
            name = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
            return
        }
        guard let account = getpwnam("postgres")?.pointee else { throw .accountMissing }
        name = "postgres"
        user = account.pw_uid
        group = account.pw_gid
    }

    /// Returns a command that runs as this account and gets SIGINT when the thread that started it ends. For the server
    /// this means a fast shutdown, even after `kill -9` of its owner.
    func command(_ arguments: [String]) -> [String] {
        let identity = isRoot ? ["--reuid=\(user)", "--regid=\(group)", "--init-groups"] : []
        return ["setpriv"] + identity + ["--pdeathsig=INT", "--"] + arguments
    }

    /// Creates a directory for the account only. An existing one must belong to the account, or to this process's user.
    func makeDirectory(_ path: String) throws(LocalClusterError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw .cannotPrepare(directory: path, reason: SystemError.lastReason)
        }
        // Another user may have made it in /tmp, or a link to a directory that must keep its owner.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOTDIR || errno == ELOOP else {
                throw .cannotPrepare(directory: path, reason: SystemError.lastReason)
            }
            throw .untrusted(path, reason: "it is a symbolic link or a file, and not a directory")
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            throw .cannotPrepare(directory: path, reason: SystemError.lastReason)
        }
        guard information.st_uid == user || information.st_uid == geteuid() else {
            throw .untrusted(path, reason: "it belongs to another user")
        }
        guard information.st_uid == user || fchown(descriptor, user, group) == 0, fchmod(descriptor, 0o700) == 0 else {
            throw .cannotPrepare(directory: path, reason: SystemError.lastReason)
        }
    }

    /// Checks that the account has search permission on every parent directory.
    func checkAccess(to directory: String) throws(LocalClusterError) {
        guard isRoot else { return }
        var path = ""
        for part in directory.split(separator: "/").dropLast() {
            path += "/\(part)"
            var information = stat()
            guard stat(path, &information) == 0 else {
                throw .cannotPrepare(directory: path, reason: SystemError.lastReason)
            }
            let bit =
                information.st_uid == user ? S_IXUSR : information.st_gid == group ? S_IXGRP : S_IXOTH
            guard information.st_mode & bit != 0 else { throw .accessDenied(path: path, directory: directory) }
        }
    }
}
