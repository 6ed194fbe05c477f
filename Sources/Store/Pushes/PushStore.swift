public import Campaigns
public import Postgres

/// Batches of transactional pushes: inserted leased, with their requests' keys; ended by one UPDATE. Many of them a
/// statement, since each statement is a transaction.
public struct PushStore: Sendable {
    /// Of the statement that inserts; requests wait for it.
    public static let insertDeadline = Duration.seconds(10)
    /// Of looking for what was inserted; requests wait for that, too.
    static let lookDeadline = Duration.seconds(3)

    private let pool: PostgresPool
    private let owner: ProcessID

    public init(pool: PostgresPool, owner: ProcessID) {
        self.pool = pool
        self.owner = owner
    }

    /// Message numbers that nobody else has.
    public func messageNumbers(_ count: Int) async throws(PostgresError) -> [Int64] {
        let rows = try await pool.query("SELECT nextval('message_numbers') FROM generate_series(1, \(Int32(count)))")
        return try rows.map { row throws(PostgresError) in try row[0] }
    }

    /// One statement: all or nothing. From its success on this process holds the batches, and their pushes may go on
    /// the wire. Returns the ids by message number; batches of apps that are gone have none.
    ///
    /// Throws a unique violation of `PushKeyStore.constraint` when another request has one of the keys.
    public func insert(
        _ batches: [PushBatch], keeping kept: [StoredPushKey], lease: Duration
    ) async throws(PostgresError) -> [Int64: Batch.ID] {
        let sizes = batches.map { Int32($0.recipients.count) }
        let pending = batches.map { batch in Int32(batch.outcomes.count { $0 == OutcomeCode.pending }) }
        // In one order everywhere, so that nobody waits in a circle.
        let kept = kept.sorted { ($0.app, $0.key.text) < ($1.app, $1.key.text) }
        let rows = try await pool.query(
            """
            WITH there AS MATERIALIZED (
                SELECT id FROM apps WHERE id = ANY (\(batches.map(\.app.rawValue))) ORDER BY id FOR KEY SHARE
            ), made AS (
                INSERT INTO batches (app_id, message_number, message_key_version, environment, first_id, last_id, size,
                    pending, suppressed, sent_through, state, owner, attempt, lease_until, ended_at, outcomes, recipients)
                SELECT b.app_id, b.number, b.version, b.environment, b.first_id, b.last_id, b.size, b.pending,
                    b.size - b.pending, b.size, CASE WHEN b.pending > 0 THEN 1 ELSE 2 END,
                    CASE WHEN b.pending > 0 THEN \(owner) END, 1,
                    CASE WHEN b.pending > 0 THEN now() + \(lease.interval) END,
                    CASE WHEN b.pending = 0 THEN now() END,
                    substring(\(batches.flatMap(\.outcomes)) FROM b.start + 1 FOR b.size),
                    (\(batches.flatMap(\.recipients)))[b.start + 1:b.start + b.size]
                FROM unnest(
                    \(batches.map(\.app.rawValue)), \(batches.map(\.messageNumber)), \(batches.map(\.messageKeyVersion)),
                    \(batches.map(\.environment.rawValue)), \(batches.map { $0.recipients.min() ?? 0 }),
                    \(batches.map { $0.recipients.max() ?? 0 }), \(Self.starts(sizes)), \(sizes), \(pending)
                ) AS b (app_id, number, version, environment, first_id, last_id, start, size, pending)
                JOIN there t ON t.id = b.app_id
                RETURNING id, app_id, message_number, recipients
            ), remembered AS (
                INSERT INTO push_recipients (app_id, device_id, batch_id)
                SELECT m.app_id, r.device_id, m.id FROM made m CROSS JOIN LATERAL unnest(m.recipients) AS r (device_id)
            ), kept AS (
                INSERT INTO push_keys (app_id, key, body_hash, receipt)
                SELECT k.*
                FROM unnest(
                    \(kept.map(\.app.rawValue)), \(kept.map(\.key.text)), \(kept.map(\.key.bodyHash)),
                    \(kept.map(\.receipt.bytes))
                ) AS k (app_id, key, body_hash, receipt)
                JOIN there t ON t.id = k.app_id
            )
            SELECT message_number, id FROM made
            """, deadline: Self.insertDeadline)
        return try Self.ids(rows)
    }

    /// Which of these were stored and are nobody else's yet: for whoever lost the answer to `insert`. The leases of those
    /// that have somebody to send to begin anew.
    public func adopt(_ names: [PushBatch.Name], lease: Duration) async throws(PostgresError) -> [Int64: Batch.ID] {
        try Self.ids(
            await pool.query(
                """
                WITH found AS MATERIALIZED (
                    SELECT b.id, b.message_number, b.state
                    FROM unnest(\(names.map(\.app.rawValue)), \(names.map(\.messageNumber))) AS n (app_id, number)
                    JOIN batches b ON b.app_id = n.app_id AND b.message_number = n.number
                ), ours AS (
                    UPDATE batches b SET lease_until = now() + \(lease.interval) FROM found f
                    WHERE b.id = f.id AND b.state = 1 AND b.owner = \(owner)
                    RETURNING b.message_number, b.id
                )
                SELECT message_number, id FROM ours
                UNION ALL
                -- Nobody could be sent to from the first, so nobody has held them.
                SELECT b.message_number, b.id FROM found f JOIN batches b ON b.id = f.id WHERE b.suppressed = b.size
                """, deadline: Self.lookDeadline))
    }

    private static func ids(_ rows: PostgresRows) throws(PostgresError) -> [Int64: Batch.ID] {
        var ids: [Int64: Batch.ID] = [:]
        for row in rows { ids[try row[0]] = try row[1] }
        return ids
    }

    /// Where each of so many begins when all stand in one piece.
    private static func starts(_ sizes: [Int32]) -> [Int32] {
        var start: Int32 = 0
        return sizes.map { size in
            defer { start += size }
            return start
        }
    }

    // MARK: Held batches

    /// Stores what became of batches that this process holds; the lease of those that go on begins anew. Returns those
    /// that were this process's still.
    public func store(_ updates: [PushBatchUpdate], lease: Duration) async throws(PostgresError) -> Set<Batch.ID> {
        let sizes = updates.map { Int32($0.outcomes.count) }
        func counts(_ kind: OutcomeKind) -> [Int32] { updates.map { Int32($0.ledger[kind]) } }
        let rows = try await pool.query(
            """
            WITH \(held(updates.map(\.batch)))
            UPDATE batches b
            SET outcomes = substring(\(updates.flatMap(\.outcomes)) FROM u.start + 1 FOR b.size), pending = u.pending,
                accepted = u.accepted, rejected = u.rejected, suppressed = u.suppressed, expired = u.expired,
                cancelled = u.cancelled, unknown = u.unknown,
                state = CASE WHEN u.pending = 0 THEN 2 ELSE 1 END,
                owner = CASE WHEN u.pending > 0 THEN b.owner END,
                lease_until = CASE WHEN u.pending > 0 THEN now() + \(lease.interval) END,
                ended_at = CASE WHEN u.pending = 0 THEN now() END
            FROM unnest(
                \(updates.map(\.batch.rawValue)), \(Self.starts(sizes)), \(counts(.pending)), \(counts(.accepted)),
                \(counts(.rejected)), \(counts(.suppressed)), \(counts(.expired)), \(counts(.cancelled)),
                \(counts(.unknown))
            ) AS u (id, start, pending, accepted, rejected, suppressed, expired, cancelled, unknown)
            JOIN held h ON h.id = u.id
            WHERE b.id = u.id
            RETURNING b.id
            """)
        return Set(try rows.map { row throws(PostgresError) in try row[0] })
    }

    /// Those of these batches that are this process's, locked. Everywhere in one order, so that nobody waits in a circle.
    private func held(_ ids: [Batch.ID]) -> PostgresQuery {
        """
        held AS MATERIALIZED (
            SELECT id FROM batches WHERE id = ANY (\(ids.map(\.rawValue))) AND state = 1 AND owner = \(owner)
            ORDER BY id FOR UPDATE
        )
        """
    }

    /// Begins the leases of these batches anew; returns those that were this process's still.
    public func renew(_ held: [Batch.ID], lease: Duration) async throws(PostgresError) -> Set<Batch.ID> {
        let rows = try await pool.query(
            """
            WITH \(self.held(held))
            UPDATE batches b SET lease_until = now() + \(lease.interval) FROM held h WHERE b.id = h.id
            RETURNING b.id
            """)
        return Set(try rows.map { row throws(PostgresError) in try row[0] })
    }

    /// Ends at most `limit` batches of pushes whose holder is gone: who has no outcome may have been sent to, and
    /// nobody can tell. After a restart of PostgreSQL holders get a lease's time more, so that survivors can store what
    /// they know. Returns how many batches.
    public func endAbandoned(limit: Int, lease: Duration) async throws(PostgresError) -> Int {
        try await pool.execute(
            """
            WITH abandoned AS MATERIALIZED (
                SELECT id FROM batches
                WHERE state = 1 AND run_id IS NULL AND lease_until < now()
                    AND pg_postmaster_start_time() + \(lease.interval) < now()
                ORDER BY id LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            UPDATE batches b
            SET state = 2, owner = NULL, lease_until = NULL, ended_at = now(), unknown = unknown + pending, pending = 0,
                outcomes = (
                    SELECT string_agg(
                        CASE get_byte(b.outcomes, place) WHEN \(Int32(OutcomeCode.pending))
                            THEN set_byte('\\x00', 0, \(Int32(OutcomeCode.unknownWorkerLost)))
                            ELSE substring(b.outcomes FROM place + 1 FOR 1) END, '' ORDER BY place)
                    FROM generate_series(0, b.size - 1) AS place
                )
            FROM abandoned WHERE b.id = abandoned.id
            """)
    }
}
