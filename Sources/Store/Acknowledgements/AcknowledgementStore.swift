import Campaigns
public import Postgres

/// Writes acknowledgements in groups, each by one statement.
public struct AcknowledgementStore: Sendable {
    /// Deadline of the statement: the requests of a slower group fail.
    static let statementDeadline = Duration.seconds(10)

    private let pool: PostgresPool
    private let starts = MessageStartCache()

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Stores the events and returns the results of the requests, in order. If two requests contain the same event, it
    /// counts as stored for the first.
    public func store(_ requests: [AcknowledgementRequest]) async throws -> [AcknowledgementCount] {
        let messages = AcknowledgementGroup.messages(of: requests)
        let starts = try await starts.starts(of: messages, pool: pool, deadline: Self.statementDeadline)
        let group = AcknowledgementGroup(requests, starts: starts)
        guard !group.events.isEmpty else { return group.counts(wereStored: []) }
        let statement = Self.statement(group)
        let wereStored = try await retryingConflicts {
            try Self.match(try await pool.query(statement, deadline: Self.statementDeadline), group)
        }
        return group.counts(wereStored: wereStored)
    }

    /// Inserts in the order of the key, so that groups of different processes cannot deadlock. Devices that were not
    /// seen today are marked as seen, if they have a row (devices that never registered have none).
    ///
    /// Most groups have no details: their columns would cost a third of the time.
    private static func statement(_ group: AcknowledgementGroup) -> PostgresQuery {
        let events = group.events
        let devices = group.devices
        let details: (columns: PostgresQuery, values: PostgresQuery, arrays: PostgresQuery, names: PostgresQuery) =
            group.hasDetails
            ? (
                ", action, text, value", ", g.action, g.text, g.millionths / 1000000.0",
                """
                , \(events.map(\.action)), \(events.map { $0.details?.text }),
                \(events.map { $0.details?.valueMillionths })
                """, ", action, text, millionths"
            ) : ("", "", "", "")
        return """
            WITH stored AS (
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at, is_time_corrected
                    \(details.columns))
                SELECT g.app_id, g.message_number, g.device_id, g.kind, coalesce(g.happened_at, now()), g.is_corrected
                    \(details.values)
                FROM unnest(
                    \(events.map(\.app)), \(events.map(\.messageNumber)), \(events.map(\.device)),
                    \(events.map(\.kind)), \(events.map(\.moment.happenedAt)), \(events.map(\.moment.isCorrected))
                    \(details.arrays)
                ) AS g (app_id, message_number, device_id, kind, happened_at, is_corrected \(details.names))
                ON CONFLICT DO NOTHING
                RETURNING message_number, device_id, kind, action
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
            SELECT message_number, device_id, kind \(group.hasDetails ? ", action" as PostgresQuery : "") FROM stored
            """
    }

    /// Rows are returned in the order in which they were inserted, so that one pass finds the missing ones.
    private static func match(
        _ rows: PostgresRows, _ group: AcknowledgementGroup
    ) throws(PostgresError) -> [Bool] {
        var wereStored = [Bool](repeating: rows.count == group.events.count, count: group.events.count)
        guard rows.count < group.events.count else { return wereStored }
        let hasDetails = group.hasDetails
        var index = 0
        for row in rows {
            let number: Int64 = try row[0]
            let device: Int64 = try row[1]
            let kind: Int16 = try row[2]
            let action: String = hasDetails ? try row[3] : ""
            while !group.events[index].isRow(number, device, kind)
                || hasDetails && !group.events[index].action.utf8.elementsEqual(action.utf8)
            {
                index += 1
            }
            wereStored[index] = true
            index += 1
        }
        return wereStored
    }
}
