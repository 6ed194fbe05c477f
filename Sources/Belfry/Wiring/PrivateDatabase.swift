import Glibc

/// When a command may run Belfry's own PostgreSQL in the state directory, without a database URL.
enum PrivateDatabase {
    /// It is created if it is missing.
    case allowed
    /// A command beside `serve`: a new, empty database is not what its user means.
    case ifItExists
    /// A worker, whose database is usually on another machine.
    case ifNamed

    private static let remedy =
        "Set DATABASE_URL, or DATABASE_URL_FILE, or \"database\": {\"url\": …} in the settings file"

    /// Throws if no database is meant. `directory` is that of the private cluster.
    func check(_ directory: String) throws(CommandFailure) {
        switch self {
        case .allowed: return
        case .ifItExists:
            guard access("\(directory)/data/PG_VERSION", F_OK) != 0 else { return }
            // Its folder may belong to the account of the server.
            guard errno == ENOENT else { return }
            throw CommandFailure(
                """
                No database is set, and there is none in \(directory). \(Self.remedy); or start "belfry serve" first, or \
                add --private-database to create Belfry's own PostgreSQL there.
                """)
        case .ifNamed:
            throw CommandFailure(
                """
                No database is set. \(Self.remedy), the same as for "belfry serve"; or add --private-database to use \
                Belfry's own PostgreSQL in \(directory).
                """)
        }
    }
}
