import Postgres

/// Whether the database is still the one whose identity was last confirmed, for conditions of statements. After a
/// restore from a backup or a failover it is not, and the ledger may lack pushes that were sent.
///
/// Docs/decisions/database.md explains how a restored dump is noticed.
enum DatabaseIdentity {
    /// The present values of the columns database_oid, batches_oid and runs_oid.
    private static let tables: PostgresQuery = """
        ((SELECT oid::bigint FROM pg_database WHERE datname = current_database()),
            to_regclass('batches')::oid::bigint, to_regclass('runs')::oid::bigint)
        """

    /// True for a row `d` of `database_identity` unless a dump was restored since it was written. That shows in two
    /// ways. It makes new tables, or its rows, this one among them, name another writer than the transaction that wrote
    /// them.
    static let hasSameTables: PostgresQuery = """
        ((d.database_oid, d.batches_oid, d.runs_oid) IS NOT DISTINCT FROM \(tables) AND d.written_by::xid = d.xmin)
        """

    /// True for a row `d` of `database_identity` that holds. PostgreSQL has not been started since it was confirmed, so
    /// nobody can have replaced its files, and no other server has taken over.
    static let isConfirmed: PostgresQuery = """
        (\(hasSameTables) AND d.server_started_at = pg_postmaster_start_time()
            AND d.timeline IS NOT DISTINCT FROM present_timeline())
        """

    /// True for a run `r` that began in the present generation, or was resumed in it. False for every run as long as
    /// the identity is not confirmed.
    static let matchesRun: PostgresQuery =
        "r.generation = (SELECT d.generation FROM database_identity d WHERE \(isConfirmed))"

    /// True when the identity was confirmed at least `lease` ago. Then processes that survived a restart or a failover
    /// have stored their outcomes.
    static func isConfirmed(since lease: Duration) -> PostgresQuery {
        "EXISTS (SELECT FROM database_identity d WHERE \(isConfirmed) AND d.confirmed_at + \(lease.interval) < now())"
    }

    /// Assignments that confirm the present identity. No trigger sets the writer: while a dump is being restored, rows
    /// come before triggers.
    static let confirmation: PostgresQuery = """
        written_by = pg_current_xact_id(), server_started_at = pg_postmaster_start_time(), confirmed_at = now(),
            timeline = present_timeline(), (database_oid, batches_oid, runs_oid) = \(tables)
        """
}
