import EventLoop
import Glibc

/// The other accounts that may read or change a file that the operator trusts.
struct FilePermissions {
    /// The directory where container engines mount secrets, with permissions of their own.
    private static let mountedSecrets = "/run/secrets/"

    private let path: String
    private var status = stat()

    init(_ path: String) throws(CommandFailure) {
        self.path = path
        guard stat(path, &status) == 0 else {
            throw CommandFailure("can't read the file \(path): \(SystemError.lastReason)")
        }
    }

    /// Throws if others may change the file, or may read it although it is a secret. `name` says what it is.
    func check(_ name: String, isSecret: Bool) throws(CommandFailure) {
        // Pipes and devices, such as the shell's <(…), belong to their process.
        guard status.st_mode & S_IFMT == S_IFREG, !path.hasPrefix(Self.mountedSecrets) else { return }
        let mode = status.st_mode
        if mode & 0o022 != 0 {
            throw CommandFailure(
                "The \(name) \(path) can be changed by other users, so it isn't used. Run chmod go-w \(path)")
        }
        if isSecret, mode & 0o077 != 0, !isOwnedByRootForAGroup {
            throw CommandFailure(
                "The \(name) \(path) can be read by other users, and it contains secrets, so it isn't used. Run chmod "
                    + "600 \(path)")
        }
    }

    /// As root installs the configuration of a service: the service's group may read it, and nobody else.
    private var isOwnedByRootForAGroup: Bool { status.st_uid == 0 && status.st_mode & 0o037 == 0 }
}
