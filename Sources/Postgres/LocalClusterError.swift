/// Why there is no private PostgreSQL, in words for who starts the program.
public enum LocalClusterError: Error, Hashable, CustomStringConvertible {
    case serverMissing
    case setprivMissing
    /// PostgreSQL refuses to run as root, and there is no other account for it.
    case accountMissing
    /// The account that runs the server cannot enter `path`, which is above the cluster's directory.
    case cannotEnter(path: String, directory: String)
    case cannotPrepare(directory: String, reason: String)
    case cannotStart(String, reason: String)
    case initializationFailed(log: String)
    /// The last lines of the server's log.
    case serverFailed(log: String)
    case timedOut(Duration, log: String)
    case notOwner

    public var description: String {
        switch self {
        case .serverMissing:
            "PostgreSQL's server is not installed (Debian: apt-get install postgresql); or set DATABASE_URL"
        case .setprivMissing: "setpriv is missing (Debian: apt-get install util-linux); or set DATABASE_URL"
        case .accountMissing:
            "PostgreSQL does not run as root, and there is no account \"postgres\" to run it; or set DATABASE_URL"
        case .cannotEnter(let path, let directory):
            "the account \"postgres\" cannot enter \(path), so PostgreSQL cannot run in \(directory): "
                + "keep the data elsewhere, such as in /var/lib/belfry, or allow it by chmod o+x \(path)"
        case .cannotPrepare(let directory, let reason): "cannot prepare \(directory): \(reason)"
        case .cannotStart(let program, let reason): "cannot start \(program): \(reason)"
        case .initializationFailed(let log): "initdb failed:\n\(log)"
        case .serverFailed(let log): "PostgreSQL ended while it started:\n\(log)"
        case .timedOut(let duration, let log): "PostgreSQL did not answer within \(duration):\n\(log)"
        case .notOwner: "another process owns this PostgreSQL; only that one may restart it"
        }
    }
}
