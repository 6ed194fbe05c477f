public import Campaigns
import Postgres

/// A reason and its number of occurrences.
public struct ReasonCount: Hashable, Sendable {
    public let reason: OutcomeReason
    public let count: Int
}

/// The outcomes of a run's batches, counted by code. Counts of finished batches are remembered, so that an update reads
/// only the batches that can have changed.
public struct ReasonTally: Sendable {
    /// Finished batches, whose outcomes do not change any more, and their counts.
    fileprivate var done: [Int64] = []
    fileprivate var doneCounts = [Int](repeating: 0, count: OutcomeCode.limit)
    /// Counts of the other batches at the last update.
    fileprivate var open = [Int](repeating: 0, count: OutcomeCode.limit)
    fileprivate var codes: [UInt8: OutcomeReason] = [:]

    public init() {}

    /// The reasons behind rejected, suppressed and unknown, the most frequent first.
    public var reasons: [ReasonCount] {
        var counts: [ReasonCount] = []
        for (code, reason) in codes {
            let count = doneCounts[Int(code)] + open[Int(code)]
            guard count > 0 else { continue }
            switch reason.kind {
            case .rejected, .suppressed, .unknown: counts.append(ReasonCount(reason: reason, count: count))
            case .pending, .accepted, .expired, .cancelled, .deferred: continue
            }
        }
        return counts.sorted { ($0.count, $1.reason.reason) > ($1.count, $0.reason.reason) }
    }

    fileprivate mutating func count(_ outcomes: UnsafeRawBufferPointer, of batch: Int64, isDone: Bool) {
        var histogram = [Int](repeating: 0, count: OutcomeCode.limit)
        for byte in outcomes { histogram[Int(OutcomeByte(rawValue: byte).code)] += 1 }
        if isDone {
            done.append(batch)
            for code in histogram.indices { doneCounts[code] += histogram[code] }
        } else {
            for code in histogram.indices { open[code] += histogram[code] }
        }
    }

    /// Whether a counted code has not been read yet: a new reason of Apple's gets its code when it first occurs.
    fileprivate var hasUnknownCode: Bool {
        (0..<OutcomeCode.limit).contains { doneCounts[$0] + open[$0] > 0 && codes[UInt8($0)] == nil }
    }
}

extension RunStore {
    /// Batches read by one statement: 1 MB of outcomes.
    static let batchesPerRead = 200

    /// Brings a tally of this run up to date.
    ///
    /// The bytes are counted in this process: a million take a few milliseconds, whereas PostgreSQL would unpack the
    /// batch again for each of its bytes. Batches without such outcomes are not read.
    public func update(_ tally: inout ReasonTally, of run: Run.Key) async throws {
        var next = tally
        next.open = [Int](repeating: 0, count: OutcomeCode.limit)
        var last: Int64 = 0
        while true {
            let rows = try await pool.query(
                """
                SELECT b.id, b.outcomes, b.state = 'done' FROM batches b
                WHERE b.app_id = \(run.app) AND b.run_id = \(run.id) AND b.id > \(last)
                    AND b.rejected + b.suppressed + b.unknown > 0
                    AND NOT EXISTS (SELECT FROM unnest(\(tally.done)) AS d (id) WHERE d.id = b.id)
                ORDER BY b.id LIMIT \(Self.batchesPerRead)
                """)
            for row in 0..<rows.count {
                last = try rows[row][0]
                let isDone: Bool = try rows[row][2]
                rows.withBytes(row: row, column: 1) { outcomes in
                    next.count(
                        outcomes ?? UnsafeRawBufferPointer(start: nil, count: 0), of: last, isDone: isDone)
                }
            }
            if rows.count < Self.batchesPerRead { break }
        }
        if next.hasUnknownCode { next.codes = try await codes() }
        tally = next
    }

    /// The reasons of a run whose recipients were deleted, from the counts of statistics; the most frequent first.
    public func countedReasons(of run: Run.Key) async throws -> [ReasonCount] {
        let kinds: [Measure: OutcomeKind] = [.rejected: .rejected, .suppressed: .suppressed, .unknown: .unknown]
        let rows = try await pool.query(
            """
            SELECT t.measure, t.value, sum(t.count)::bigint
            FROM runs r
            JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
            JOIN message_totals t ON t.app_id = m.app_id AND t.message_number = m.message_number
                AND t.sent_on = (r.started_at AT TIME ZONE 'UTC')::date
            WHERE r.app_id = \(run.app) AND r.id = \(run.id) AND t.dimension = \(Dimension.reason.rawValue)
                AND t.measure = ANY (\(kinds.keys.map(\.rawValue)))
            GROUP BY 1, 2 ORDER BY 3 DESC, 2
            """)
        return try rows.compactMap { row in
            guard let kind = Measure(rawValue: try row[0]).flatMap({ kinds[$0] }) else { return nil }
            return ReasonCount(reason: OutcomeReason(kind: kind, reason: try row[1]), count: try row[2])
        }
    }
}
