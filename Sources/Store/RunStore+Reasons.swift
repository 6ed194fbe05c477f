public import Campaigns
import Postgres

/// How often a reason was given.
public struct ReasonCount: Hashable, Sendable {
    public let reason: OutcomeReason
    public let count: Int
}

extension RunStore {
    /// Batches that are read at once: 1 MB of outcomes.
    static let batchesPerRead = 200

    /// The reasons behind rejected, suppressed and unknown, the most frequent first.
    ///
    /// The bytes come here and are counted here: a million in a few milliseconds, where PostgreSQL would unpack each
    /// batch anew for each of its bytes. Batches without such outcomes are not read.
    public func reasons(_ run: Run.ID) async throws -> [ReasonCount] {
        var histogram = [Int](repeating: 0, count: OutcomeCode.limit)
        var last: Int64 = 0
        while true {
            let rows = try await pool.query(
                """
                SELECT id, outcomes FROM batches
                WHERE run_id = \(run) AND id > \(last) AND rejected + suppressed + unknown > 0
                ORDER BY id LIMIT \(Self.batchesPerRead)
                """)
            for row in 0..<rows.count {
                last = try rows[row][0]
                rows.withBytes(row: row, column: 1) { outcomes in
                    for byte in outcomes ?? UnsafeRawBufferPointer(start: nil, count: 0) {
                        histogram[Int(OutcomeByte(rawValue: byte).code)] += 1
                    }
                }
            }
            if rows.count < Self.batchesPerRead { break }
        }
        guard histogram.contains(where: { $0 > 0 }) else { return [] }
        var counts: [ReasonCount] = []
        for (code, reason) in try await codes() {
            let count = histogram[Int(code)]
            guard count > 0 else { continue }
            switch reason.kind {
            case .rejected, .suppressed, .unknown: counts.append(ReasonCount(reason: reason, count: count))
            case .pending, .accepted, .expired, .cancelled, .moved: continue
            }
        }
        return counts.sorted { ($0.count, $1.reason.reason) > ($1.count, $0.reason.reason) }
    }
}
