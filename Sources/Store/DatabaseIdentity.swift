import Postgres

/// Whether the database is still the one whose identity was last confirmed, for conditions of statements. After a
/// restore from a backup or a failover it is not, and the ledger may lack pushes that were sent.
enum DatabaseIdentity {
    /// The present values of the columns timeline, database_oid, batches_oid and runs_oid.
    private static let present: PostgresQuery = """
        (present_timeline(), (SELECT oid::bigint FROM pg_database WHERE datname = current_database()),
            to_regclass('batches')::oid::bigint, to_regclass('runs')::oid::bigint)
        """

    /// True for a row `d` of `database_identity` that holds: nothing was restored since it was written. A logical
    /// restore shows in two ways. It makes new tables, or its rows, this one among them, name another writer than the
    /// transaction that wrote them.
    private static let isConfirmed: PostgresQuery = """
        ((d.timeline, d.database_oid, d.batches_oid, d.runs_oid) IS NOT DISTINCT FROM \(present)
            AND d.written_by::xid = d.xmin)
        """

    /// When the identity last changed, as far as it was noticed; null if it never changed.
    static let changedAt: PostgresQuery = """
        (SELECT CASE WHEN \(isConfirmed) THEN d.changed_at ELSE now() END FROM database_identity d)
        """

    /// True for a run `r` that began in the present generation, or was resumed in it. False for every run as long as the
    /// identity is not confirmed.
    static let matchesRun: PostgresQuery =
        "r.generation = (SELECT d.generation FROM database_identity d WHERE \(isConfirmed))"

    /// Begins another generation if the identity is not confirmed. Of several processes one does. No trigger sets the
    /// writer: while a dump is being restored, rows come before triggers.
    static let beginGeneration: PostgresQuery = """
        UPDATE database_identity d SET generation = random_generation(), changed_at = now(),
            written_by = pg_current_xact_id(), (timeline, database_oid, batches_oid, runs_oid) = \(present)
        WHERE NOT \(isConfirmed)
        """
}
