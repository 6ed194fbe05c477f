import Postgres

/// The PostgreSQL server and timeline. After a restore from a backup or a failover to a standby they differ, and the
/// ledger may lack pushes that were sent.
enum DatabaseIdentity {
    /// Columns of a SELECT. The timeline is the one being written to: the last checkpoint's may still be that from
    /// before a failover.
    static let columns: PostgresQuery = """
        (SELECT system_identifier FROM pg_control_system()),
        ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer,
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database())
        """

    /// When the identity last changed, as far as it was noticed; null if it never changed.
    static let changedAt: PostgresQuery = """
        (SELECT CASE WHEN (i.system_identifier, i.timeline, i.database_oid) = (\(columns))
                THEN i.identity_changed_at ELSE now() END
            FROM instance i)
        """

    /// True for a run `r` that began on this database, or was resumed on it.
    static let matchesRun: PostgresQuery = "(r.system_identifier, r.timeline, r.database_oid) = (\(columns))"
}
