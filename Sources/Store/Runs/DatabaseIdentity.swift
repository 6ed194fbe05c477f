import Postgres

/// Which PostgreSQL this is, and on which timeline: after a restore from a backup, or a failover to a standby, the
/// ledger may be older than the wire.
enum DatabaseIdentity {
    /// As columns of a SELECT. The timeline is that of what is being written: the last checkpoint's may be the one before
    /// a failover.
    static let columns: PostgresQuery = """
        (SELECT system_identifier FROM pg_control_system()),
        ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer,
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database())
        """

    /// Since when it is another than before, as far as anybody has noticed; null when it never was.
    static let movedAt: PostgresQuery = """
        (SELECT CASE WHEN (i.system_identifier, i.timeline, i.database_oid) = (\(columns)) THEN i.moved_at ELSE now() END
            FROM instance i)
        """

    /// Whether a run `r` began here, or was told to go on here.
    static let isOfRun: PostgresQuery = "(r.system_identifier, r.timeline, r.database_oid) = (\(columns))"
}
