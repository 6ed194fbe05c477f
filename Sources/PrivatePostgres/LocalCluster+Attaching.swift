import Glibc
public import Postgres

extension LocalCluster {
    /// The configuration for connections to the server in the directory, if one runs there. Nothing is started.
    public static func running(in directory: String) -> PostgresConfiguration? {
        let socketDirectory = socketDirectory(for: absolute(directory))
        // PostgreSQL removes its socket when it ends; after a crash, connecting fails.
        guard access("\(socketDirectory)/.s.PGSQL.\(port)", F_OK) == 0 else { return nil }
        return PostgresConfiguration(socketDirectory: socketDirectory, user: user, database: database)
    }
}
