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
            var writes = events.inserts + events.tellReplies(of: group)
            if !unseen.isEmpty {
                writes.append(
                    DeviceActivity.markSeen(unseen.map { DeviceActivity.Sighting(app: $0.app, device: $0.device) }))
            }
            _ = try await connection.queries(writes + tally.statements, deadline: Self.statementDeadline)
            return wereStored
        }
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
