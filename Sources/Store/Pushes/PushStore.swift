public import Campaigns
public import Postgres

/// Stores batches of transactional pushes. They are inserted leased, with the keys of their requests, and finished by
/// one UPDATE. Each statement writes many batches, since each is a transaction.
public struct PushStore: Sendable {
    /// Deadline of the insert; requests wait for it.
    public static let insertDeadline = Duration.seconds(10)
    /// Deadline of looking up what was inserted; requests wait for it as well.
    static let lookupDeadline = Duration.seconds(3)

    private let pool: PostgresPool
    private let owner: ProcessID

    public init(pool: PostgresPool, owner: ProcessID) {
        self.pool = pool
        self.owner = owner
    }

    /// Reserves unique message numbers.
    public func messageNumbers(_ count: Int) async throws(PostgresError) -> [Int64] {
        let rows = try await pool.query("SELECT nextval('message_numbers') FROM generate_series(1, \(Int32(count)))")
        return try rows.map { row throws(PostgresError) in try row[0] }
    }

    /// Inserts the batches in one statement: all or none. Once it succeeds, this process holds their leases and may
    /// send the pushes. Returns the ids by message number; batches of deleted apps have none.
    ///
    /// Throws a unique violation of `PushKeyStore.constraint` when another request has used one of the keys.
    public func insert(
        _ batches: [PushBatch], keeping keys: [StoredPushKey], lease: Duration
    ) async throws(PostgresError) -> [Int64: Batch.ID] {
        let sizes = batches.map { Int32($0.recipients.count) }
        let pending = batches.map { batch in Int32(batch.outcomes.count { $0 == OutcomeCode.pending }) }
        // The same order everywhere prevents deadlocks.
        let keys = keys.sorted { ($0.app, $0.key.owner, $0.key.text) < ($1.app, $1.key.owner, $1.key.text) }
        let statement: PostgresQuery = """
            WITH locked_apps AS MATERIALIZED (
                SELECT id FROM apps WHERE id = ANY (\(batches.map(\.app.rawValue))) ORDER BY id FOR KEY SHARE
            ), inserted AS (
                INSERT INTO batches (app_id, message_number, message_key_version, environment, first_id, last_id, size,
                    pending, suppressed, sent_through, state, owner, attempt, lease_until, ended_at, outcomes, recipients,
                    profiles)
                SELECT b.app_id, b.number, b.version, b.environment, b.first_id, b.last_id, b.size, b.pending,
                    b.size - b.pending, b.size, CASE WHEN b.pending > 0 THEN 'leased' ELSE 'done' END,
                    CASE WHEN b.pending > 0 THEN \(owner) END, 1,
                    CASE WHEN b.pending > 0 THEN now() + \(lease.interval) END,
                    CASE WHEN b.pending = 0 THEN now() END,
                    substring(\(batches.flatMap(\.outcomes)) FROM b.start + 1 FOR b.size),
                    (\(batches.flatMap(\.recipients)))[b.start + 1:b.start + b.size],
                    (SELECT string_agg(profile_bytes(coalesce(a.profile, 0), 3), '' ORDER BY r.position)
                     FROM unnest((\(batches.flatMap(\.recipients)))[b.start + 1:b.start + b.size])
                        WITH ORDINALITY AS r (device_id, position)
                     LEFT JOIN device_activity a ON a.app_id = b.app_id AND a.device_id = r.device_id)
                FROM unnest(
                    \(batches.map(\.app.rawValue)), \(batches.map(\.messageNumber)), \(batches.map(\.messageKeyVersion)),
                    \(batches.map(\.environment.rawValue)), \(batches.map { $0.recipients.min() ?? 0 }),
                    \(batches.map { $0.recipients.max() ?? 0 }), \(Self.starts(sizes)), \(sizes), \(pending)
                ) AS b (app_id, number, version, environment, first_id, last_id, start, size, pending)
                JOIN locked_apps t ON t.id = b.app_id
                RETURNING id, app_id, message_number, recipients
            ), inserted_recipients AS (
                INSERT INTO push_recipients (app_id, device_id, message_number)
                SELECT m.app_id, r.device_id, m.message_number
                FROM inserted m CROSS JOIN LATERAL unnest(m.recipients) AS r (device_id)
            ), stored_keys AS (
                INSERT INTO push_keys (app_id, owner, key, body_hash, receipt)
                SELECT k.*
                FROM unnest(
                    \(keys.map(\.app.rawValue)), \(keys.map(\.key.owner.text)), \(keys.map(\.key.text)),
                    \(keys.map(\.key.bodyHash)), \(keys.map(\.receipt.bytes))
                ) AS k (app_id, owner, key, body_hash, receipt)
                JOIN locked_apps t ON t.id = k.app_id
            )
            SELECT message_number, id FROM inserted
            """
        // A batch whose recipients are all suppressed has ended.
        guard pending.contains(0) else {
            return try Self.ids(await pool.query(statement, deadline: Self.insertDeadline))
        }
        do {
            return try await pool.transaction { connection in
                let ids = try Self.ids(await connection.query(statement, deadline: Self.insertDeadline))
                let ended = batches.filter { $0.outcomes.allSatisfy { $0 != OutcomeCode.pending } }
                try await Self.count(
                    ended.compactMap { batch in
                        ids[batch.messageNumber].map { Batch.Key(app: batch.app, id: $0) }
                    }, on: connection)
                return ids
            }
        } catch let error as PostgresError {
            throw error
        } catch {
            throw PostgresError(.misuse, "\(error)")
        }
    }

    /// Adds the outcomes of batches that have ended to the statistics.
    private static func count(_ ended: [Batch.Key], on connection: PostgresConnection) async throws {
        guard !ended.isEmpty else { return }
        try await connection.execute(
            CountSQL.addOutcomes(
                where: """
                    (app_id, batch_id) IN (
                        SELECT * FROM unnest(\(ended.map(\.app.rawValue)), \(ended.map(\.id.rawValue))))
                    """))
    }

    /// Finds which of these batches were stored and still belong to this process, after the response to `insert` was
    /// lost. Renews the leases of those with pending recipients.
    public func adopt(_ names: [PushBatch.Name], lease: Duration) async throws(PostgresError) -> [Int64: Batch.ID] {
        try Self.ids(
            await pool.query(
                """
                WITH found AS MATERIALIZED (
                    SELECT b.app_id, b.id, b.message_number, b.state
                    FROM unnest(\(names.map(\.app.rawValue)), \(names.map(\.messageNumber))) AS n (app_id, number)
                    JOIN batches b ON b.app_id = n.app_id AND b.message_number = n.number
                ), ours AS (
                    UPDATE batches b SET lease_until = now() + \(lease.interval) FROM found f
                    WHERE b.app_id = f.app_id AND b.id = f.id AND b.state = 'leased' AND b.owner = \(owner)
                    RETURNING b.message_number, b.id
                )
                SELECT message_number, id FROM ours
                UNION ALL
                -- All recipients were suppressed when these were inserted, so they never had an owner.
                SELECT b.message_number, b.id FROM found f JOIN batches b ON b.app_id = f.app_id AND b.id = f.id
                WHERE b.suppressed = b.size
                """, deadline: Self.lookupDeadline))
    }

    private static func ids(_ rows: PostgresRows) throws(PostgresError) -> [Int64: Batch.ID] {
        var ids: [Int64: Batch.ID] = [:]
        for row in rows { ids[try row[0]] = try row[1] }
        return ids
    }

    /// The start of each batch in the concatenation of all.
    private static func starts(_ sizes: [Int32]) -> [Int32] {
        var start: Int32 = 0
        return sizes.map { size in
            defer { start += size }
            return start
        }
    }

    // MARK: Held batches

    /// Stores the outcomes of batches that this process holds, and renews the leases of unfinished ones. Returns the
    /// batches that still belonged to this process.
    public func store(_ updates: [PushBatchUpdate], lease: Duration) async throws -> Set<Batch.ID> {
        try await pool.transaction(opening: [update(updates, lease: lease)]) { connection, answers in
            let stored = try answers[0].map {
                (key: Batch.Key(app: try $0[0], id: try $0[1]), isDone: try $0[2, as: Bool.self])
            }
            try await Self.count(stored.filter(\.isDone).map(\.key), on: connection)
            return Set(stored.map(\.key.id))
        }
    }

    private func update(_ updates: [PushBatchUpdate], lease: Duration) -> PostgresQuery {
        let sizes = updates.map { Int32($0.outcomes.count) }
        func counts(_ kind: OutcomeKind) -> [Int32] { updates.map { Int32($0.ledger[kind]) } }
        return """
            WITH \(held(updates.map(\.batch)))
            UPDATE batches b
            SET outcomes = substring(\(updates.flatMap(\.outcomes)) FROM u.start + 1 FOR b.size), pending = u.pending,
                accepted = u.accepted, rejected = u.rejected, suppressed = u.suppressed, expired = u.expired,
                cancelled = u.cancelled, unknown = u.unknown,
                state = CASE WHEN u.pending = 0 THEN 'done' ELSE 'leased' END,
                owner = CASE WHEN u.pending > 0 THEN b.owner END,
                lease_until = CASE WHEN u.pending > 0 THEN now() + \(lease.interval) END,
                ended_at = CASE WHEN u.pending = 0 THEN now() END
            FROM unnest(
                \(updates.map(\.batch.rawValue)), \(Self.starts(sizes)), \(counts(.pending)), \(counts(.accepted)),
                \(counts(.rejected)), \(counts(.suppressed)), \(counts(.expired)), \(counts(.cancelled)),
                \(counts(.unknown))
            ) AS u (id, start, pending, accepted, rejected, suppressed, expired, cancelled, unknown)
            JOIN held h ON h.id = u.id
            WHERE b.app_id = h.app_id AND b.id = h.id
            RETURNING b.app_id, b.id, b.state = 'done'
            """
    }

    /// The batches that still belong to this process, locked. The same order everywhere prevents deadlocks.
    private func held(_ ids: [Batch.ID]) -> PostgresQuery {
        """
        held AS MATERIALIZED (
            SELECT app_id, id FROM batches WHERE id = ANY (\(ids.map(\.rawValue))) AND state = 'leased' AND owner = \(owner)
            ORDER BY id FOR UPDATE
        )
        """
    }

    /// Renews the leases of these batches; returns those that still belonged to this process.
    public func renew(_ held: [Batch.ID], lease: Duration) async throws(PostgresError) -> Set<Batch.ID> {
        let rows = try await pool.query(
            """
            WITH \(self.held(held))
            UPDATE batches b SET lease_until = now() + \(lease.interval) FROM held h
            WHERE b.app_id = h.app_id AND b.id = h.id
            RETURNING b.id
            """)
        return Set(try rows.map { row throws(PostgresError) in try row[0] })
    }

    /// Finishes at most `limit` batches whose lease has expired. Recipients without an outcome become unknown, since
    /// they may have been sent to. After a restart of PostgreSQL or a failover, leases last one lease time longer, so
    /// that surviving processes can store their outcomes. Returns the number of batches.
    public func endAbandoned(limit: Int, lease: Duration) async throws -> Int {
        let statement: PostgresQuery = """
            WITH abandoned AS MATERIALIZED (
                SELECT app_id, id FROM batches
                WHERE state = 'leased' AND run_id IS NULL AND lease_until < now()
                    AND \(DatabaseIdentity.isConfirmed(since: lease))
                ORDER BY id LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            UPDATE batches b
            SET state = 'done', owner = NULL, lease_until = NULL, ended_at = now(), unknown = unknown + pending,
                pending = 0,
                outcomes = (
                    SELECT string_agg(
                        CASE get_byte(b.outcomes, index) WHEN \(Int32(OutcomeCode.pending))
                            THEN set_byte('\\x00', 0, \(Int32(OutcomeCode.unknownWorkerLost)))
                            ELSE substring(b.outcomes FROM index + 1 FOR 1) END, '' ORDER BY index)
                    FROM generate_series(0, b.size - 1) AS index
                )
            FROM abandoned WHERE b.app_id = abandoned.app_id AND b.id = abandoned.id
            RETURNING b.app_id, b.id
            """
        return try await pool.transaction(opening: [statement]) { connection, answers in
            let ended = try answers[0].map { Batch.Key(app: try $0[0], id: try $0[1]) }
            try await Self.count(ended, on: connection)
            return ended.count
        }
    }
}
