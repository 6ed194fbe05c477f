/// The reason why the private PostgreSQL could not be started. Descriptions are for the operator.
public enum LocalClusterError: Error, Hashable, CustomStringConvertible {
    case serverMissing
    /// BELFRY_POSTGRES_BIN names this directory.
    case serverMissingIn(String)
    case setprivMissing
    /// PostgreSQL refuses to run as root, and the account `postgres` does not exist.
    case accountMissing
    /// The account that runs the server has no access to `path`, a parent of the cluster's directory.
    case accessDenied(path: String, directory: String)
    case cannotPrepare(directory: String, reason: String)
    /// Another user may have made the file or directory, so it is not used. The reason is a clause.
    case untrusted(String, reason: String)
    case cannotStart(String, reason: String)
    /// The data directory belongs to another user than the one that runs the server.
    case foreignData(String, account: String)
    /// The data was written by another major version.
    case otherVersion(String, found: Int, server: Int)
    /// Numbers of bytes.
    case diskFull(String, free: UInt64, minimum: UInt64)
    case initializationFailed(log: String)
    /// The last lines of the server's log.
    case serverFailed(log: String)
    case timedOut(Duration, log: String)
    case notOwner

    public var description: String {
        switch self {
        case .serverMissing:
            "the PostgreSQL server is missing; install it (Debian: apt-get install postgresql) or set DATABASE_URL"
        case .serverMissingIn(let directory):
            "BELFRY_POSTGRES_BIN is \(directory), which has no programs postgres and initdb; set it to the directory with "
                + "PostgreSQL's programs, such as /usr/lib/postgresql/15/bin, or unset it"
        case .setprivMissing: "setpriv is missing; install it (Debian: apt-get install util-linux) or set DATABASE_URL"
        case .accountMissing:
            "PostgreSQL can't run as root; create the account \"postgres\" or set DATABASE_URL"
        case .accessDenied(let path, let directory):
            "the account \"postgres\" has no access to \(path), so PostgreSQL can't run in \(directory); "
                + "use another data directory, such as /var/lib/belfry, or run chmod o+x \(path)"
        case .cannotPrepare(let directory, let reason): "cannot prepare \(directory): \(reason)"
        case .untrusted(let path, let reason):
            "\(path) can't be used, because \(reason); find out where it comes from, then remove it"
        case .cannotStart(let program, let reason): "cannot start \(program): \(reason)"
        case .foreignData(let path, let account):
            "\(path) does not belong to the user \(account), which runs PostgreSQL; run chown -R \(account) \(path)"
        case .otherVersion(let path, let found, let server):
            "\(path) was written by PostgreSQL \(found), and PostgreSQL \(server) is installed; install PostgreSQL \(found), "
                + "or move the data with pg_upgrade"
        case .diskFull(let path, let free, let minimum):
            "the disk of \(path) has \(free / 1_048_576) MB left, and PostgreSQL needs at least \(minimum / 1_048_576) MB; free "
                + "some space"
        case .initializationFailed(let log): "initdb failed:\n\(log)"
        case .serverFailed(let log): "PostgreSQL exited during startup:\n\(log)"
        case .timedOut(let duration, let log): "PostgreSQL did not respond within \(duration):\n\(log)"
        case .notOwner: "another process owns this PostgreSQL, and only its owner can do this; end that process first"
        }
    }
}
