import EventLoop
import Glibc

/// A directory that a process writes to.
struct FolderState: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case missing, notAFolder
        /// `problem` is why this account can't write there; nil: it can.
        case folder(problem: String?)
    }

    let path: String
    let kind: Kind
    let space: FreeSpace?

    /// Writes nothing.
    static func read(_ path: String) -> FolderState {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let isMissing = errno == ENOENT
            let kind = isMissing ? Kind.missing : .folder(problem: SystemError.lastReason)
            return FolderState(path: path, kind: kind, space: nil)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return FolderState(path: path, kind: .notAFolder, space: nil) }
        let problem = access(path, W_OK | X_OK) == 0 ? nil : SystemError.lastReason
        return FolderState(path: path, kind: .folder(problem: problem), space: FreeSpace(of: path))
    }

    func finding(_ group: DoctorFinding.Group, _ check: String) -> DoctorFinding {
        switch kind {
        case .missing:
            .warning(
                group, check, "\(path) does not exist",
                "A start creates it. If it belongs to a volume, mount that first.")
        case .notAFolder:
            .error(group, check, "\(path) is not a directory", "Move the file away, or set another directory.")
        case .folder(let problem?):
            .error(
                group, check, "\(path) can't be written to: \(problem)",
                "Let the account that runs Belfry own it (chown), or mount its volume for writing.")
        case .folder(nil):
            space?.finding(group, check, of: path, " in \(path)") ?? .ok(group, check, "\(path) can be written to")
        }
    }
}
