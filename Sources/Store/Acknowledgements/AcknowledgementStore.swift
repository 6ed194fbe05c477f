import Campaigns
public import Postgres

/// Writes acknowledgements in groups, each by one statement.
public struct AcknowledgementStore: Sendable {
    /// Of the statement; a group that takes longer gives its waiters an answer.
    static let statementDeadline = Duration.seconds(10)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The counts of each request, in their order, when all are stored. Of two that hold the same event the first
    /// has stored it.
    public func store(_ requests: [AcknowledgementRequest]) async throws -> [AcknowledgementCount] {
        let group = AcknowledgementGroup(requests)
        guard !group.events.isEmpty else { return group.counts(wereStored: []) }
        let wereStored = try await repeatingConflicts {
            try Self.match(try await pool.query(Self.statement(group), deadline: Self.statementDeadline), group)
        }
        return group.counts(wereStored: wereStored)
    }

    /// The group is sorted by the key, so that groups of other processes wait for each other in one order. Devices
    /// that were not seen today are marked; without a row there was no registration, and there is nothing to mark.
    private static func statement(_ group: AcknowledgementGroup) -> PostgresQuery {
        let events = group.events
        let devices = group.devices
        return """
            WITH stored AS (
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
                SELECT *
                FROM unnest(
                    \(events.map(\.app)), \(events.map(\.messageNumber)), \(events.map(\.device)),
                    \(events.map(\.kind)), \(events.map(\.happenedAt))
                )
                ON CONFLICT DO NOTHING
                RETURNING message_number, device_id, kind
            ), unseen AS MATERIALIZED (
                SELECT a.app_id, a.device_id
                FROM unnest(\(devices.map(\.app)), \(devices.map(\.device))) AS g (app_id, device_id)
                JOIN device_activity a ON a.app_id = g.app_id AND a.device_id = g.device_id
                WHERE a.last_seen_at < date_trunc('day', now(), 'UTC')
                ORDER BY a.app_id, a.device_id
                FOR UPDATE OF a
            ), seen AS (
                UPDATE device_activity a
                SET last_seen_at = now()
                FROM unseen u
                WHERE a.app_id = u.app_id AND a.device_id = u.device_id
            )
            SELECT message_number, device_id, kind FROM stored
            """
    }

    /// Rows come back in the order in which they were stored, so that one walk finds who is missing.
    private static func match(
        _ rows: PostgresRows, _ group: AcknowledgementGroup
    ) throws(PostgresError) -> [Bool] {
        var wereStored = [Bool](repeating: rows.count == group.events.count, count: group.events.count)
        guard rows.count < group.events.count else { return wereStored }
        var place = 0
        for row in rows {
            let number: Int64 = try row[0]
            let device: Int64 = try row[1]
            let kind: Int16 = try row[2]
            while !group.events[place].isRow(number, device, kind) { place += 1 }
            wereStored[place] = true
            place += 1
        }
        return wereStored
    }
}
