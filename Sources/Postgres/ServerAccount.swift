import Glibc

/// The account that runs the server. PostgreSQL refuses to run as root, so root starts it as `postgres`.
struct ServerAccount {
    private let user: uid_t
    private let group: gid_t
    private let isRoot: Bool

    init() throws(LocalClusterError) {
        isRoot = geteuid() == 0
        guard isRoot else {
            user = geteuid()
            group = getegid()
            return
        }
        guard let account = getpwnam("postgres")?.pointee else { throw .accountMissing }
        user = account.pw_uid
        group = account.pw_gid
    }

    /// Returns a command that runs as this account and gets SIGINT when the thread that started it ends. For the server
    /// this means a fast shutdown, even after `kill -9` of its owner.
    func command(_ arguments: [String]) -> [String] {
        let identity = isRoot ? ["--reuid=\(user)", "--regid=\(group)", "--init-groups"] : []
        return ["setpriv"] + identity + ["--pdeathsig=INT", "--"] + arguments
    }

    /// Creates a directory that belongs to the account.
    func makeDirectory(_ path: String, mode: mode_t) throws(LocalClusterError) {
        if mkdir(path, mode) != 0, errno != EEXIST { throw .cannotPrepare(directory: path, reason: systemReason()) }
        guard isRoot else { return }
        guard chown(path, user, group) == 0 else { throw .cannotPrepare(directory: path, reason: systemReason()) }
    }

    /// Checks that the account has search permission on every parent directory.
    func checkAccess(to directory: String) throws(LocalClusterError) {
        guard isRoot else { return }
        var path = ""
        for part in directory.split(separator: "/").dropLast() {
            path += "/\(part)"
            var information = stat()
            guard stat(path, &information) == 0 else {
                throw .cannotPrepare(directory: path, reason: systemReason())
            }
            let bit =
                information.st_uid == user ? S_IXUSR : information.st_gid == group ? S_IXGRP : S_IXOTH
            guard information.st_mode & bit != 0 else { throw .accessDenied(path: path, directory: directory) }
        }
    }
}

func systemReason() -> String { String(cString: strerror(errno)) }
