import Campaigns
import EventLoop
public import Postgres

/// Writes acknowledgements in groups, each in one transaction with their counts for statistics.
public struct AcknowledgementStore: Sendable {
    /// Deadline of a statement: the requests of a slower group fail.
    static let statementDeadline = Duration.seconds(10)
    /// Attempts to store a group, while other processes store some of its events.
    private static let maximumAttempts = 8
    /// After a repeated event, the next ones are expected within this time.
    private static let careDuration = Duration.seconds(1)

    private let pool: PostgresPool
    private let messages = MessageCache()
    private let carefulUntil = Carefulness()

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Stores the events and returns the results of the requests, in order. If two requests contain the same event, it
    /// counts as stored for the first.
    public func store(_ requests: [AcknowledgementRequest]) async throws -> [AcknowledgementCount] {
        let keys = AcknowledgementGroup.messages(of: requests)
        let messages = try await messages.messages(keys, pool: pool, deadline: Self.statementDeadline)
        let group = AcknowledgementGroup(requests, messages: messages)
        let refusals = EventTally(refusalsOf: requests, group.refusals)
        guard !group.events.isEmpty || !refusals.isEmpty else { return group.counts(wereStored: []) }
        var isCareful = carefulUntil.value > .now()
        for _ in 1..<Self.maximumAttempts {
            do {
                return group.counts(wereStored: try await write(group, refusals, isCareful: isCareful))
            } catch let error as PostgresError where error.isConflict {
                carefulUntil.value = .now() + Self.careDuration
                isCareful = true
            }
        }
        return group.counts(wereStored: try await write(group, refusals, isCareful: true))
    }

    private func write(
        _ group: AcknowledgementGroup, _ refusals: EventTally, isCareful: Bool
    ) async throws -> [Bool] {
        let lookUps = EventLookUps(group, isCareful: isCareful)
        return try await pool.transaction(opening: group.events.isEmpty ? [] : lookUps.statements) {
            connection, answers in
            let (events, unseen) = try await lookUps.read(answers, on: connection)
            var tally = refusals
            var wereStored = [Bool](repeating: false, count: group.events.count)
            tally.add(events, of: group)
            for index in events.indexes { wereStored[index] = true }
            var writes = events.inserts
            if !unseen.isEmpty { writes.append(Self.markSeen(unseen)) }
            _ = try await connection.queries(writes + tally.statements, deadline: Self.statementDeadline)
            return wereStored
        }
    }

    /// Only devices that have a row: devices that never registered have none.
    private static func markSeen(_ devices: [(app: Int64, device: Int64)]) -> PostgresQuery {
        let devices = devices.sorted { $0 < $1 }
        return """
            WITH unseen AS MATERIALIZED (
                SELECT a.app_id, a.device_id
                FROM unnest(\(devices.map(\.app)), \(devices.map(\.device))) AS g (app_id, device_id)
                JOIN device_activity a ON a.app_id = g.app_id AND a.device_id = g.device_id
                WHERE a.last_seen_at < date_trunc('day', now(), 'UTC')
                ORDER BY a.app_id, a.device_id
                FOR UPDATE OF a
            )
            UPDATE device_activity a SET last_seen_at = now()
            FROM unseen u WHERE a.app_id = u.app_id AND a.device_id = u.device_id
            """
    }
}

/// The time until which repeated events are expected.
private final class Carefulness: Sendable {
    private let until = Lock(MonotonicTime(nanoseconds: 0))

    var value: MonotonicTime {
        get { until.withLock { $0 } }
        set { until.withLock { $0 = newValue } }
    }
}
