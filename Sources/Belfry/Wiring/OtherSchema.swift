import Postgres

/// Belfry's own database has a schema that this build can neither use nor upgrade.
struct OtherSchema: Error, CustomStringConvertible {
    let error: MigrationError
    /// The directory of the private PostgreSQL.
    let directory: String

    var description: String {
        "\(error). The database is in \(directory); to begin with an empty one, move this folder away."
    }
}
